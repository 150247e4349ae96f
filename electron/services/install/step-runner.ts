import { AppError } from '../../../shared/errors.ts'
import type { InstallStep } from '../../../shared/ipc/host-calls.ts'
import type { JobHandle } from '../jobs/types.ts'
import type { InstallOutcome } from './needs.ts'

/** Progress within a step. */
export type TellProgress = (progress: { detail?: string; done?: number; total?: number }) => void

/** Work of one step; answers the sentence that stands behind its mark. */
export interface StepWork {
  id: InstallStep['id']
  run(tell: TellProgress): Promise<string>
}

/**
 * Runs steps one after the other and tells each of its states. The first that fails ends the attempt; its sentence and
 * hint are the error's. `from` skips the steps before it, except those that are `always` needed. Cancelled: throws.
 */
export async function runSteps({
  steps,
  from,
  always,
  job,
}: {
  steps: readonly StepWork[]
  from: InstallStep['id'] | undefined
  always: readonly InstallStep['id'][]
  job: Pick<JobHandle, 'signal' | 'progress'>
}): Promise<InstallOutcome> {
  const first = Math.max(
    0,
    steps.findIndex(({ id }) => id === from),
  )
  const states: InstallStep[] = steps.map(({ id }) => ({ id, state: 'waiting' }))
  const set = (index: number, step: InstallStep, progress: { done?: number; total?: number } = {}) => {
    states[index] = step
    job.progress({ step: 'install', install: step, ...progress })
  }
  for (const step of states) job.progress({ step: 'install', install: step })
  for (const [index, { id, run }] of steps.entries()) {
    if (index < first && !always.includes(id)) {
      set(index, { id, state: 'skipped' })
      continue
    }
    const startedAt = performance.now()
    const tookMs = () => Math.round(performance.now() - startedAt)
    set(index, { id, state: 'running' })
    try {
      const detail = await run(({ detail: now, done, total }) =>
        set(
          index,
          { id, state: 'running', ...(now === undefined ? {} : { detail: now.slice(0, 500) }) },
          { ...(done === undefined ? {} : { done }), ...(total === undefined ? {} : { total }) },
        ),
      )
      set(index, { id, state: 'done', detail: detail.slice(0, 500), tookMs: tookMs() })
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'cancelled') throw error
      const hint = error.hint === undefined ? {} : { hint: error.hint.slice(0, 1_000) }
      set(index, { id, state: 'failed', detail: error.message.slice(0, 500), ...hint, tookMs: tookMs() })
      return { ok: false, steps: states }
    }
  }
  return { ok: true, steps: states }
}
