import type { Actor } from '../../shared/domain/actor.ts'
import type { Fact } from '../../shared/domain/fact.ts'
import type { Task } from '../../shared/domain/task.ts'
import { AppError, assertNever } from '../../shared/errors.ts'
import { pushBranch, type PushOutcome } from '../../shared/node/git/push.ts'
import type { CallOutput, ParsedInput } from '../../shared/protocol.ts'
import type { Store } from '../store/store.ts'
import { lastSeq, refusalError } from './answers.ts'
import { recordAct, recordDecision } from './audit.ts'
import type { Applied, Committed, FactLog } from './fact-log.ts'
import type { Lifecycle } from './lifecycle.ts'
import { continuePrompt } from './prompts.ts'
import { openReview, requireSeen } from './seen.ts'

interface Needs {
  store: Store
  facts: FactLog
  lifecycle: Lifecycle
  deliver(taskId: string, force: boolean): Promise<void>
  now: () => number
}

/** A task and the number of its last event. */
export type TaskAndSeq = { task: Task; seq: number }

/** An act around a transaction: `remember` is called inside it with what was decided. */
export interface Act<S> {
  by: Actor
  remember(saved: S): void
}

/** What finishing a task decided; what becomes of its worktree follows. */
export type Finished = TaskAndSeq & { push?: string }

/** What people and reviewers do to a task: send it back, finish it, cancel it, repair it, leave a note. */
export function createActs({ store, facts, lifecycle, deliver, now }: Needs) {
  const log = { store, now }

  function mustApply(applied: Applied): Committed | Extract<Applied, { kind: 'known' }> {
    if (applied.kind === 'refused') throw refusalError(applied)
    return applied
  }

  /** The review ticket that is waiting, so that the decision on it is in the audit log with what was judged. */
  function decideReview(task: Task, decision: string, by: Actor, detail: string): void {
    const review = openReview(store, task.id)
    if (review) recordDecision(log, { ticket: review, decision, by, detail })
    else recordAct(log, { decision, by, text: task.title, taskId: task.id, detail })
  }

  function sendBack(task: Task, text: string, by: Actor): TaskAndSeq {
    return facts.transaction(() => {
      decideReview(task, 'continue', by, text)
      // A denial of the last round says nothing about how the next one ends.
      if (store.tasks.private(task.id).stopRequested)
        store.tasks.savePrivate(task.id, { stopRequested: false })
      const applied = mustApply(
        facts.apply(task.id, { type: 'continued', text, by, prompt: continuePrompt(task, text) }),
      )
      return { task: applied.task, seq: lastSeq(applied) }
    })
  }

  function note(task: Task, text: string, by: Actor): TaskAndSeq {
    const applied = mustApply(facts.apply(task.id, { type: 'note', text, by }))
    return { task: applied.task, seq: lastSeq(applied) }
  }

  /** Writes down how a command ended; of a task that has ended meanwhile nobody asks that any more. */
  function ran(taskId: string, ended: Omit<Extract<Fact, { type: 'ran' }>, 'type'>): void {
    facts.apply(taskId, { type: 'ran', ...ended })
  }

  async function done(
    task: Task,
    { input, by, remember }: Act<Finished> & { input: ParsedInput<'task.done'> },
  ): Promise<Finished> {
    if (task.state !== 'waiting_review')
      throw refusalError({
        kind: 'refused',
        code: 'not_waiting_review',
        message: `The task is ${task.state.replace('_', ' ')}, not waiting for review.`,
      })
    requireSeen(openReview(store, task.id), input.seen)
    // Pushing comes first: when it fails, the task is still there to be finished.
    const push = input.push
      ? pushText(await pushBranch({ repoPath: task.worktree, branch: task.branch }))
      : undefined
    return facts.transaction(() => {
      // The executor may have gone on by itself meanwhile.
      requireSeen(openReview(store, task.id), input.seen)
      decideReview(task, 'done', by, input.note ?? '')
      store.tasks.savePrivate(task.id, { keepWorktree: input.keepWorktree })
      const texts = {
        ...(input.note === undefined ? {} : { note: input.note }),
        ...(push === undefined ? {} : { push }),
      }
      const applied = mustApply(facts.apply(task.id, { type: 'done', ...texts, by }))
      const saved = { task: applied.task, seq: lastSeq(applied), ...(push === undefined ? {} : { push }) }
      remember(saved)
      return saved
    })
  }

  /** Clears up after a task that was finished, and says what became of its worktree. */
  async function afterDone(saved: Finished): Promise<CallOutput<'task.done'>> {
    const { worktree, why } = await lifecycle.clean(saved.task.id)
    return { ...saved, worktree, ...(why === undefined ? {} : { worktreeWhy: why }) }
  }

  function cancel(
    task: Task,
    { why, by, remember }: Act<TaskAndSeq> & { why: string | undefined },
  ): TaskAndSeq {
    return facts.transaction(() => {
      recordAct(log, {
        decision: 'cancel',
        by,
        text: task.title,
        taskId: task.id,
        ...(why === undefined ? {} : { detail: why }),
      })
      const applied = mustApply(
        facts.apply(task.id, { type: 'cancelled', ...(why === undefined ? {} : { note: why }), by }),
      )
      const saved = { task: applied.task, seq: lastSeq(applied) }
      remember(saved)
      return saved
    })
  }

  /** Ends what is left of a task that was cancelled. */
  async function afterCancel(saved: TaskAndSeq): Promise<TaskAndSeq> {
    await lifecycle.clean(saved.task.id)
    return saved
  }

  /** Compares with the executor's own facts, then delivers at once what is still undelivered. */
  async function repair(
    task: Task,
    { by, remember }: Act<CallOutput<'task.repair'>>,
  ): Promise<CallOutput<'task.repair'>> {
    const before = store.deliveries.pending(task.id).length
    const found = await lifecycle.reconcile(task.id)
    await deliver(task.id, true)
    const left = store.deliveries.pending(task.id)
    const delivered =
      before === 0 ? 'Nothing was undelivered.' : `Delivered ${before - left.length} of ${before}.`
    const error = left.find((row) => row.lastError !== undefined)?.lastError
    const outcome = [found, delivered, ...(error === undefined ? [] : [`Still failing: ${error}`])]
      .join(' ')
      .slice(0, 2_000)
    return facts.transaction(() => {
      const applied = mustApply(facts.apply(task.id, { type: 'repaired', outcome, by }))
      const saved = { task: applied.task, outcome }
      remember(saved)
      return saved
    })
  }

  return { sendBack, note, ran, done, afterDone, cancel, afterCancel, repair }
}

function pushText(outcome: PushOutcome): string {
  switch (outcome.kind) {
    case 'pushed':
      return `Pushed ${outcome.branch} to ${outcome.remote}.`
    case 'up_to_date':
      return `${outcome.remote} has ${outcome.branch} already.`
    case 'rejected':
      throw new AppError({
        code: 'git.push_failed',
        message: `${outcome.remote} did not take the branch: ${outcome.reason}`,
        hint: 'The task still waits for review. Finish it without a push, or solve it and try again.',
      })
    case 'no_remote':
      throw new AppError({
        code: 'git.no_remote',
        message: 'The repository has no remote to push to.',
        hint: 'Finish the task without a push; its branch stays in the repository.',
      })
    default:
      return assertNever(outcome)
  }
}
