import type { Jobs } from '../jobs/types.ts'

/** Carries out a call that the window may cancel, if it gave it a name. */
export function inJob<T>(
  jobs: Jobs,
  jobId: string | undefined,
  work: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  return jobId === undefined ? work(undefined) : jobs.run(jobId, ({ signal }) => work(signal))
}
