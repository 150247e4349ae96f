import type { IpcOutput, IpcParsed } from '../../../shared/ipc.ts'
import type { CallInput } from '../../../shared/protocol.ts'
import type { HostService } from '../hosts/types.ts'
import type { JobHandle, Jobs } from '../jobs/types.ts'
import { requireConnection } from './ask-host.ts'
import { createBoundedText } from './bounded-text.ts'

const MAX_DIFF_BYTES = 32 * 1024 * 1024
const PROGRESS_STEP_BYTES = 512 * 1024

interface Needs {
  hosts: HostService
  jobs: Jobs
  /** Only tests change it. */
  maxBytes?: number
}

/** Reads the diff of a task from its host, as a job that can be cancelled; a longer one is cut between two files. */
export function createDiffReader({ hosts, jobs, maxBytes = MAX_DIFF_BYTES }: Needs) {
  async function read(
    { host, taskId, round, against }: IpcParsed<'task.diff'>,
    job: JobHandle,
  ): Promise<IpcOutput<'task.diff'>> {
    requireConnection(hosts, host)
    const call = hosts.call(host)
    const input = {
      task: taskId,
      ...(round === undefined ? {} : { round }),
      ...(against === undefined ? {} : { against }),
    } satisfies Omit<CallInput<'task.diff'>, 'mode'>
    const diff = createBoundedText(maxBytes)
    // What is beyond the bound is not even sent.
    const enough = new AbortController()
    const signal = AbortSignal.any([job.signal, enough.signal])
    let told = 0
    const onChunk = (bytes: Uint8Array) => {
      if (!diff.add(bytes)) enough.abort()
      if (diff.sizeBytes() - told < PROGRESS_STEP_BYTES) return
      told = diff.sizeBytes()
      job.progress({ step: 'reading', done: told })
    }
    const ends = await call('task.diff', { ...input, mode: 'full' }, { signal, onChunk }).catch(
      (error: unknown) => {
        if (!enough.signal.aborted || job.signal.aborted) throw error
        return call('task.diff', { ...input, mode: 'name-only' }, { signal: job.signal })
      },
    )
    const cut = diff.isCut()
    return { ...ends, diff: cut ? wholeFiles(diff.text()) : diff.text(), cut }
  }

  return (input: IpcParsed<'task.diff'>): Promise<IpcOutput<'task.diff'>> =>
    jobs.run(input.jobId, (job) => read(input, job))
}

/** The part of a cut diff that can be read: up to the last file that began, or the last whole line of the only one. */
function wholeFiles(text: string): string {
  const file = text.lastIndexOf('\ndiff --git ')
  return text.slice(0, (file > 0 ? file : text.lastIndexOf('\n')) + 1)
}
