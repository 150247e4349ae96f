const REASONS = {
  download_run: 'Runs code straight from a download.',
  worktree_delete: 'Deletes the whole worktree.',
  git_internals: 'Changes or deletes files inside the .git folder.',
  outside_worktree: 'Writes or deletes outside the worktree.',
  privilege: 'Takes the rights of another user.',
  secret_access: 'Reads or changes keys, tokens or other secrets.',
  data_send: 'Sends data to another machine.',
  force_push: 'Overwrites or deletes branches on the remote.',
  push_shared: 'Pushes to something other than the branch of this task.',
  history_rewrite: 'Rewrites or deletes history that others share.',
  publish: 'Publishes a package, image or release.',
  production: 'Reaches a cloud, a cluster or other live infrastructure.',
  database: 'Reaches a database server or destroys its data.',
  remote_host: 'Works on another machine.',
  hooks_ci: 'Turns off or changes checks, hooks or CI.',
  system_change: 'Changes this machine or its processes, not the project.',
  discards_work: 'Discards work that cannot be brought back.',
  config_change: 'Changes settings that decide where code goes, who signs in or what runs by itself.',
  environment: 'Sets a variable that makes programs load or run something else.',
  foreign_program: 'Runs a program that is neither installed nor part of the project.',
  inline_code: 'Runs code that cannot be read in advance.',
  unresolved: 'Depends on a value that is not known before it runs.',
  unreadable: 'Cannot be read with certainty.',
} as const

type Reason = keyof typeof REASONS

/** The codes of all reasons, the most severe first. */
export const riskReasons = Object.keys(REASONS) as [Reason, ...Reason[]]

/** Whether this version knows a reason. */
export function isRiskReason(reason: string | undefined): reason is Reason {
  return reason !== undefined && Object.hasOwn(REASONS, reason)
}

/** The English sentence of a reason code. */
export function riskSentence(reason: Reason): string {
  return REASONS[reason]
}
