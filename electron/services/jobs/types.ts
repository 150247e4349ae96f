import type { IpcEvent } from '../../../shared/ipc.ts'

/** Long work that shows progress and can be cancelled, by the id that the caller chose. */
export interface Jobs {
  /** Runs `work` under an id; a second job with the same id is refused with `bad_request`. Cancelled: the work's own `cancelled` error. */
  run<T>(jobId: string, work: (job: JobHandle) => Promise<T>): Promise<T>
  cancel(jobId: string): boolean
  dispose(): void
}

/** What the work sees of its job. */
export interface JobHandle {
  signal: AbortSignal
  progress(step: Omit<IpcEvent<'job.progress'>, 'jobId'>): void
  output(channel: 'stdout' | 'stderr', chunk: string): void
}
