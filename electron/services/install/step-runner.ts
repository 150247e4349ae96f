import { AppError, toWireError } from '../../../shared/errors.ts'
import type { InstallStep } from '../../../shared/ipc/host-calls.ts'
import type { JobHandle } from '../jobs/types.ts'
import type { InstallOutcome } from './needs.ts'

/** Progress within a step, in bytes. */
export type TellProgress = (progress: { done?: number; total?: number }) => void

/** What a step found. */
export type Found = NonNullable<InstallStep['found']>

/** Work of one step; answers what stands behind its mark. */
export interface StepWork {
  id: InstallStep['id']
  run(tell: TellProgress): Promise<Found>
}

/** What a step found, its values cut to what a step may carry. */
export function found(kind: Found['kind'], values: Readonly<Record<string, string | number>> = {}): Found {
  const bounded = Object.entries(values).map(([name, value]) => [name, String(value).slice(0, 300)])
  return { kind, values: Object.fromEntries(bounded) }
}

/**
 * Runs steps one after the other and tells each of its states. The first that fails ends the attempt and carries its
 * error. `from` skips the steps before it, except those that are `always` needed. Cancelled: throws.
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
      const what = await run((progress) => set(index, { id, state: 'running' }, progress))
      set(index, { id, state: 'done', found: what, tookMs: tookMs() })
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'cancelled') throw error
      set(index, { id, state: 'failed', error: toWireError(error), tookMs: tookMs() })
      return { ok: false, steps: states }
    }
  }
  return { ok: true, steps: states }
}
