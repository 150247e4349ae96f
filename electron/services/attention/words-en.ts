import type { AttentionWords, Tally } from './words.ts'

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

function phrase({ decisions, reviews, troubles }: Tally): string {
  const parts = [
    ...(decisions > 0 ? [counted(decisions, 'decision', 'decisions')] : []),
    ...(reviews > 0 ? [counted(reviews, 'review', 'reviews')] : []),
    ...(troubles > 0 ? [counted(troubles, 'problem', 'problems')] : []),
  ]
  const last = parts.pop() ?? ''
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`
}

const total = ({ decisions, reviews, troubles }: Tally) => decisions + reviews + troubles

/** English. */
export const en: AttentionWords = {
  thisMachine: 'This machine',
  dangers: {
    download_run: 'run code straight from a download',
    worktree_delete: 'delete the whole worktree',
    git_internals: 'change files inside .git',
    outside_worktree: 'change or delete files outside the repo',
    privilege: 'take the rights of another user',
    secret_access: 'read or change secrets',
    data_send: 'send data to another machine',
    force_push: 'overwrite or delete remote branches',
    push_shared: 'push to a branch that is not its own',
    history_rewrite: 'rewrite history that others share',
    publish: 'publish a package, image or release',
    production: 'reach live infrastructure',
    database: 'reach a database',
    remote_host: 'work on another machine',
    hooks_ci: 'change checks, hooks or CI',
    system_change: 'change the machine, not the project',
    discards_work: 'discard work for good',
    config_change: 'change settings that decide what runs',
    environment: 'change what programs load',
    foreign_program: 'run a program that is not part of the project',
    inline_code: 'run code that cannot be read first',
    unresolved: 'run what is not known in advance',
    unreadable: 'run what cannot be read with certainty',
  },
  unknownDanger: 'do something dangerous',
  requests: {
    command: 'run a command',
    edit: 'edit a file',
    fetch: 'fetch a page',
    outside: 'leave the worktree',
    other: 'use a tool',
  },
  wants: (host, what) => `${host} wants to ${what}`,
  asks: (host) => `${host} has a question for you`,
  hidden: 'Open Handoff to see what is asked.',
  readyForReview: (task) => `${task} is ready for review`,
  stalled: (task) => `${task} has gone silent`,
  executorOffline: (task) => `The executor of ${task} is offline`,
  failed: (task) => `${task} failed`,
  hostOffline: (host) => `${host} is offline`,
  tasksWait: (count) => `${counted(count, 'open task', 'open tasks')} there. Handoff keeps trying.`,
  burst: (tally) => `${phrase(tally)} ${total(tally) === 1 ? 'needs' : 'need'} you`,
  afterQuiet: (tally) => `${phrase(tally)} waited while it was quiet`,
  ofTask: (task, host, count) => `${task} on ${host}: ${count}`,
  moreTasks: (count) => `and ${count} more`,
  needYou: (count) => `${count} ${count === 1 ? 'needs' : 'need'} you`,
  nothing: 'Nothing needs you.',
  running: (count) => `${counted(count, 'task is', 'tasks are')} running.`,
  more: (count) => `${count} more in the inbox`,
  approve: 'Approve once',
  deny: 'Deny',
  open: 'Open',
  answer: 'Answer…',
  test: { title: 'Handoff can reach you', body: 'This is how a decision that needs you is announced.' },
}
