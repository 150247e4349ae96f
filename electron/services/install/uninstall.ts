import { AppError } from '../../../shared/errors.ts'
import { saidLines } from './inspect.ts'
import {
  checked,
  reach,
  SERVICE_TIMEOUT_MS,
  shellOf,
  type InstallNeeds,
  type InstallOutcome,
} from './needs.ts'
import { undoScript } from './scripts.ts'
import { found, runSteps, type StepWork } from './step-runner.ts'

/**
 * Stops agentd on a host and removes what `installOnHost` put there. The database, worktrees and branches stay. Refuses
 * with `task_busy` while tasks are open, unless told; their executors go on by themselves then.
 */
export async function uninstallFromHost(
  needs: InstallNeeds & { withOpenTasks: boolean },
): Promise<InstallOutcome> {
  const { host, store, hosts, job, withOpenTasks } = needs
  const shell = shellOf(needs)
  if (!withOpenTasks) await refuseOpenTasks(needs)
  const steps: StepWork[] = [
    { id: 'reach', run: () => reach(shell, host) },
    {
      id: 'undo',
      async run() {
        const release = hosts.hold(host)
        try {
          const said = checked(await shell.run(undoScript, { timeoutMs: SERVICE_TIMEOUT_MS }), host)
          store.change(host, { remoteCommand: undefined })
          const isNothing = saidLines(said.stdout).some(([name]) => name === 'nothing')
          return found(isNothing ? 'nothing_there' : 'removed')
        } finally {
          release()
          hosts.reload()
        }
      },
    },
  ]
  return runSteps({ steps, from: undefined, always: [], job })
}

async function refuseOpenTasks({ host, hosts }: InstallNeeds): Promise<void> {
  if (hosts.connection(host) === undefined) return
  const { openTasks } = await hosts.call(host)('host.info', {}, { timeoutMs: 10_000 })
  if (openTasks === 0) return
  throw new AppError({
    code: 'task_busy',
    message: `${openTasks} ${openTasks === 1 ? 'task is' : 'tasks are'} open on ${host}.`,
    hint: 'Finish or cancel them first, or remove Handoff although they are open.',
    details: { openTasks },
  })
}
