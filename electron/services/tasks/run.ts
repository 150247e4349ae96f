import type { IpcOutput, IpcParsed } from '../../../shared/ipc.ts'
import type { HostService } from '../hosts/types.ts'
import type { Jobs } from '../jobs/types.ts'
import { requireConnection } from './ask-host.ts'
import { createRunOutput } from './run-output.ts'

const TIME_LIMIT_MS = 30 * 60_000

/**
 * Runs a line of shell in a task's worktree on its host; what it prints goes out through the job. The line is the person's
 * own and is given to the host's `sh` as one argument. After 30 minutes it is ended (`timedOut`).
 */
export function createCommandRunner({ hosts, jobs }: { hosts: HostService; jobs: Jobs }) {
  return ({ host, taskId, jobId, command }: IpcParsed<'task.run'>): Promise<IpcOutput<'task.run'>> =>
    jobs.run(jobId, async (job) => {
      requireConnection(hosts, host)
      const output = createRunOutput((channel, chunk) => job.output(channel, chunk))
      try {
        return await hosts.call(host)(
          'task.run',
          { task: taskId, argv: ['sh', '-c', command], timeoutMs: TIME_LIMIT_MS },
          {
            signal: job.signal,
            onChunk: (bytes, channel) => output.add(bytes, channel === 'stderr' ? 'stderr' : 'stdout'),
          },
        )
      } finally {
        output.end()
      }
    })
}
