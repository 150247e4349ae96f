import type { Task } from '../../../shared/domain/task.ts'
import { AppError } from '../../../shared/errors.ts'
import type { IpcOutput, IpcParsed } from '../../../shared/ipc.ts'
import type { Cache } from '../cache/types.ts'
import type { HostService } from '../hosts/types.ts'
import type { Outbox } from '../outbox/types.ts'
import { askDigest } from '../../../shared/node/ask-digest.ts'
import { callAgain, newRequestId } from './ask-host.ts'

/** Pushing from the host may take a while; the worktree of a large repository too. */
const FINISH_TIMEOUT_MS = 10 * 60_000

interface Needs {
  cache: Pick<Cache, 'task' | 'ticket' | 'put'>
  hosts: HostService
  outbox: Pick<Outbox, 'continueTask'>
}

/** What a person decides about a task. */
export type Decisions = ReturnType<typeof createDecisions>

/** Sends tasks back, finishes, cancels and repairs them. Only an instruction is kept while the host is away. */
export function createDecisions({ cache, hosts, outbox }: Needs) {
  const keep = (host: string, task: Task): Task => {
    cache.put(host, task)
    return task
  }

  /** What the review asks that the person has seen; the host compares it with what it asks. Throws when it is another round's. */
  function seenReview(host: string, taskId: string, round: number | undefined): { seen?: string } {
    const now = cache.task(host, taskId)?.round
    if (round !== undefined && now !== undefined && round !== now) throw otherRound(round, now)
    const review = now === undefined ? undefined : cache.ticket(host, `${taskId}:review-${now}`)
    return review === undefined ? {} : { seen: askDigest(review.ask) }
  }

  return {
    async continueTask({
      host,
      taskId,
      text,
      round,
    }: IpcParsed<'task.continue'>): Promise<IpcOutput<'task.continue'>> {
      seenReview(host, taskId, round)
      const decision = await outbox.continueTask({ host, taskId, text })
      if (decision.kind === 'queued') return { kind: 'queued', entry: decision.entry }
      if (decision.kind !== 'applied') throw tooLate(decision.kind)
      const { task } = await callAgain({
        hosts,
        host,
        name: 'task.get',
        input: { task: taskId, historyLimit: 0 },
      }).catch((error: unknown) => {
        // The instruction is there; that the host cannot be asked afterwards is not its failure.
        const kept = cache.task(host, taskId)
        if (kept === undefined) throw error
        return { task: kept }
      })
      return { kind: 'sent', task: keep(host, task) }
    },
    async done(
      { host, taskId, push, keepWorktree, round }: IpcParsed<'task.done'>,
      signal?: AbortSignal,
    ): Promise<IpcOutput<'task.done'>> {
      const result = await callAgain({
        hosts,
        host,
        name: 'task.done',
        input: {
          requestId: newRequestId(),
          task: taskId,
          push,
          keepWorktree,
          ...seenReview(host, taskId, round),
        },
        timeoutMs: FINISH_TIMEOUT_MS,
        signal,
      })
      return {
        task: keep(host, result.task),
        ...(result.push === undefined ? {} : { push: result.push.slice(0, 2_000) }),
        ...(result.worktreeWhy === undefined ? {} : { worktreeWhy: result.worktreeWhy.slice(0, 2_000) }),
      }
    },
    async cancel(
      { host, taskId }: IpcParsed<'task.cancel'>,
      signal?: AbortSignal,
    ): Promise<IpcOutput<'task.cancel'>> {
      const input = { requestId: newRequestId(), task: taskId }
      const { task } = await callAgain({
        hosts,
        host,
        name: 'task.cancel',
        input,
        timeoutMs: FINISH_TIMEOUT_MS,
        signal,
      })
      return { task: keep(host, task) }
    },
    async repair(
      { host, taskId }: IpcParsed<'task.repair'>,
      signal?: AbortSignal,
    ): Promise<IpcOutput<'task.repair'>> {
      const input = { requestId: newRequestId(), task: taskId }
      const { task, outcome } = await callAgain({ hosts, host, name: 'task.repair', input, signal })
      keep(host, task)
      return { outcome }
    },
  }
}

function otherRound(seen: number, now: number): AppError {
  return new AppError({
    code: 'wrong_answer',
    message: `This was decided on round ${seen}; the task is at round ${now} by now.`,
    hint: 'Look at the newer round, then decide.',
  })
}

function tooLate(kind: 'already_answered' | 'expired'): AppError {
  return new AppError({
    code: 'not_waiting_review',
    message:
      kind === 'expired'
        ? 'The task is over; the instruction was not sent.'
        : 'The review was decided elsewhere meanwhile; the instruction was not sent.',
    hint: 'Look at the task again.',
  })
}
