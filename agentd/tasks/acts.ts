import type { Actor } from '../../shared/domain/actor.ts'
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
import type { Sessions } from './sessions.ts'

interface Needs {
  store: Store
  facts: FactLog
  lifecycle: Lifecycle
  sessions: Sessions
  deliver(taskId: string, force: boolean): Promise<void>
  now: () => number
}

type TaskAndSeq = { task: Task; seq: number }

/** What people and reviewers do to a task: send it back, finish it, cancel it, repair it, leave a note. */
export function createActs({ store, facts, lifecycle, sessions, deliver, now }: Needs) {
  const log = { store, now }

  function mustApply(applied: Applied): Committed | Extract<Applied, { kind: 'known' }> {
    if (applied.kind === 'refused') throw refusalError(applied)
    return applied
  }

  /** The review ticket that is waiting, so that the decision on it is in the audit log with what was judged. */
  function decideReview(task: Task, decision: string, by: Actor, detail: string): void {
    const review = store.tickets.open(task.id).find((ticket) => ticket.ask.kind === 'review')
    if (review) recordDecision(log, { ticket: review, decision, by, detail })
    else recordAct(log, { decision, by, text: task.title, taskId: task.id, detail })
  }

  function sendBack(task: Task, text: string, by: Actor): TaskAndSeq {
    return facts.transaction(() => {
      decideReview(task, 'continue', by, text)
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

  async function done(
    task: Task,
    input: ParsedInput<'task.done'>,
    by: Actor,
  ): Promise<CallOutput<'task.done'>> {
    if (task.state !== 'waiting_review')
      throw refusalError({
        kind: 'refused',
        code: 'not_waiting_review',
        message: `The task is ${task.state.replace('_', ' ')}, not waiting for review.`,
      })
    // Pushing comes first: when it fails, the task is still there to be finished.
    const push = input.push
      ? pushText(await pushBranch({ repoPath: task.worktree, branch: task.branch }))
      : undefined
    const applied = facts.transaction(() => {
      decideReview(task, 'done', by, input.note ?? '')
      store.tasks.savePrivate(task.id, { keepWorktree: input.keepWorktree })
      const texts = {
        ...(input.note === undefined ? {} : { note: input.note }),
        ...(push === undefined ? {} : { push }),
      }
      return mustApply(facts.apply(task.id, { type: 'done', ...texts, by }))
    })
    const cleaned = await lifecycle.clean(task.id)
    return {
      task: applied.task,
      seq: lastSeq(applied),
      worktree: cleaned?.worktree ?? 'kept',
      ...(cleaned?.why === undefined ? {} : { worktreeWhy: cleaned.why }),
      ...(push === undefined ? {} : { push }),
    }
  }

  async function cancel(task: Task, why: string | undefined, by: Actor): Promise<TaskAndSeq> {
    const applied = facts.transaction(() => {
      recordAct(log, {
        decision: 'cancel',
        by,
        text: task.title,
        taskId: task.id,
        ...(why === undefined ? {} : { detail: why }),
      })
      return mustApply(
        facts.apply(task.id, { type: 'cancelled', ...(why === undefined ? {} : { note: why }), by }),
      )
    })
    await lifecycle.clean(task.id)
    return { task: applied.task, seq: lastSeq(applied) }
  }

  /** Compares with the executor's own facts, then delivers at once what is still undelivered. */
  async function repair(task: Task, by: Actor): Promise<{ task: Task; outcome: string }> {
    const before = store.deliveries.pending(task.id).length
    const found = await reconcile(task)
    await deliver(task.id, true)
    const left = store.deliveries.pending(task.id)
    const delivered =
      before === 0 ? 'Nothing was undelivered.' : `Delivered ${before - left.length} of ${before}.`
    const error = left.find((row) => row.lastError !== undefined)?.lastError
    const outcome = [found, delivered, ...(error === undefined ? [] : [`Still failing: ${error}`])].join(' ')
    const applied = mustApply(facts.apply(task.id, { type: 'repaired', outcome, by }))
    return { task: applied.task, outcome }
  }

  async function reconcile(task: Task): Promise<string> {
    const session = sessions.get(task.id)
    if (session) return session.reconcile()
    await lifecycle.recover(task)
    return 'The executor was looked for again.'
  }

  return { sendBack, note, done, cancel, repair }
}

function pushText(outcome: PushOutcome): string {
  switch (outcome.kind) {
    case 'pushed':
      return `Pushed ${outcome.branch} to ${outcome.remote}.`
    case 'up_to_date':
      return `${outcome.remote} has ${outcome.branch} already.`
    case 'rejected':
      throw new AppError({
        code: 'git.failed',
        message: `${outcome.remote} did not take the branch: ${outcome.reason}`,
        hint: 'The task still waits for review. Finish it without --push, or solve it and try again.',
      })
    case 'no_remote':
      throw new AppError({
        code: 'git.failed',
        message: 'The repository has no remote to push to.',
        hint: 'Finish the task without --push; its branch stays.',
      })
    default:
      return assertNever(outcome)
  }
}
