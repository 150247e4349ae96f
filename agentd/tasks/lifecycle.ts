import type { Task } from '../../shared/domain/task.ts'
import { isOver } from '../../shared/domain/task.ts'
import { AppError } from '../../shared/errors.ts'
import type { Logger } from '../log.ts'
import type { Store } from '../store/store.ts'
import type { FactLog } from './fact-log.ts'
import { firstPrompt } from './prompts.ts'
import type { Sessions } from './sessions.ts'
import { forEachLimited, type TaskQueue } from './task-queue.ts'
import { judgeTurn, unjudged } from './turn-end.ts'
import { prepareWorkspace, removeWorkspace } from './workspace.ts'

interface Needs {
  store: Store
  facts: FactLog
  sessions: Sessions
  queue: TaskQueue
  log: Logger
  /** Ends whatever of the task's processes is left. */
  reap(task: Task): Promise<void>
  deliver(taskId: string): void
  /** Something that has to be done for a task failed; it is to be recovered again in a while. */
  tryAgain(taskId: string, error: unknown): void
  signal: AbortSignal
}

/** Recovery touches every open task; more at once would only make them wait for each other. */
const RECOVER_AT_ONCE = 8

/** What became of the worktree of a task that is over. */
export interface Cleaned {
  worktree: 'removed' | 'kept'
  why?: string
}

/** Brings tasks up, judges the ends of their turns, finds them again after a restart, and cleans up when they are over. */
export function createLifecycle(needs: Needs) {
  const { store, facts, sessions, queue, log, reap, deliver, tryAgain, signal } = needs

  /** Brings a new task's executor up; safe to repeat from any point at which agentd was killed. */
  async function bringUp(taskId: string): Promise<void> {
    const task = store.tasks.get(taskId)
    if (!task || isOver(task.state)) return
    try {
      if (task.state === 'pending') {
        await prepareWorkspace(task, {
          allowDirty: store.tasks.private(taskId).adapterState['allowDirty'] === true,
          signal,
        })
        const { worktree, branch, base } = task
        const submitted = facts.apply(taskId, { type: 'submitted', worktree, branch, base })
        // Somebody cancelled it meanwhile; the program is not started at all.
        if (submitted.kind === 'refused') return
      }
      const { session } = await (await sessions.open(task)).start()
      facts.transaction(() => {
        const started = facts.apply(taskId, { type: 'started', session })
        if (started.kind !== 'committed') return
        const text = firstPrompt(task, store.tasks.private(taskId).plan)
        store.deliveries.add({
          taskId,
          kind: 'prompt',
          ticketId: undefined,
          payload: { kind: 'prompt', text },
          createdAt: task.createdAt,
        })
      })
      deliver(taskId)
    } catch (error) {
      if (signal.aborted) return
      await failed(taskId, error)
    }
  }

  async function failed(taskId: string, error: unknown): Promise<void> {
    log.warn({ taskId, err: error }, 'the task could not be started')
    const known = error instanceof AppError
    facts.apply(taskId, {
      type: 'failed',
      message: known ? error.message.slice(0, 20_000) : 'The executor could not be started.',
      hint: known && error.hint !== undefined ? error.hint.slice(0, 2_000) : 'See "handoff agentd logs".',
    })
    await clean(taskId)
  }

  /** Asks git what a stored end of a turn means, and makes the answer durable. */
  async function judgeHeldTurn(taskId: string): Promise<void> {
    const task = store.tasks.get(taskId)
    const turn = sessions.heldTurn(taskId)
    if (!task || !turn || isOver(task.state)) return
    const { stopRequested } = store.tasks.private(taskId)
    const fact = await judgeTurn({ task, turn, stopRequested }, signal).catch((error: unknown) => {
      if (signal.aborted) throw error
      log.warn({ taskId, err: error }, 'git could not be asked about the end of a turn')
      return unjudged(error)
    })
    facts.transaction(() => {
      const applied = facts.apply(taskId, fact, turn.key)
      if (applied.kind === 'refused')
        log.warn({ taskId, code: applied.code }, 'the end of a turn was refused')
      if (fact.type === 'turn_completed' && applied.kind === 'committed')
        store.tasks.round(taskId, task.round, task.head ?? task.base, fact.commit, fact.summary)
      sessions.dropTurn(taskId, turn.key)
      store.tasks.savePrivate(taskId, { stopRequested: false })
    })
  }

  /** Finds the executor of an open task, or makes its loss known; finishes the clean-up of one that is over. */
  async function recover(taskId: string): Promise<void> {
    const task = store.tasks.get(taskId)
    if (!task) return
    if (isOver(task.state)) {
      if (!store.tasks.private(taskId).cleaned) await clean(taskId)
      return
    }
    // A session that is left from an attempt that failed half-way may have stopped listening.
    sessions.forget(taskId)
    if (task.state === 'pending' || task.state === 'submitted') return bringUp(taskId)
    const found = await (await sessions.open(task)).reattach()
    if (found.kind === 'gone') {
      facts.apply(task.id, { type: 'crashed', message: found.message, logTail: found.logTail.slice(-20_000) })
      await clean(task.id)
      return
    }
    await judgeHeldTurn(task.id)
    deliver(task.id)
  }

  /** Ends what is left of a task that is over: the executor, its processes, its screen, and a worktree nobody needs. */
  async function clean(taskId: string): Promise<Cleaned> {
    const task = store.tasks.get(taskId)
    if (!task || !isOver(task.state)) return { worktree: 'kept' }
    const session = sessions.get(taskId)
    if (session)
      await session
        .stop()
        .catch((error: unknown) => log.warn({ taskId, err: error }, 'stopping the executor failed'))
    sessions.forget(taskId)
    await reap(task)
    const keep = task.state !== 'completed' || store.tasks.private(taskId).keepWorktree
    const worktree: Cleaned = keep ? { worktree: 'kept' } : await removeWorkspace(task).catch(couldNotRemove)
    store.transaction(() => store.tasks.savePrivate(taskId, { cleaned: true }))
    return worktree
  }

  async function reconcile(taskId: string): Promise<string> {
    const task = store.tasks.get(taskId)
    if (!task || isOver(task.state)) {
      await recover(taskId)
      return 'The task is over; there is no executor to compare with.'
    }
    const session = sessions.get(taskId)
    if (session) return session.reconcile()
    await recover(taskId)
    return 'The executor was looked for again.'
  }

  return {
    bringUp: (taskId: string) => queue.run(taskId, () => bringUp(taskId)),
    judgeHeldTurn: (taskId: string) => queue.run(taskId, () => judgeHeldTurn(taskId)),
    /** Never fails: the task is over whatever becomes of its remains, and what could not be done is tried again. */
    clean: (taskId: string): Promise<Cleaned> =>
      queue
        .run(taskId, () => clean(taskId))
        .catch((error: unknown) => {
          tryAgain(taskId, error)
          return { worktree: 'kept', why: 'It could not be cleaned up yet; see "handoff agentd logs".' }
        }),
    recover: (taskId: string) => queue.run(taskId, () => recover(taskId)),
    /** Compares with the executor's own facts, and says what was found. In its turn: never in the midst of a delivery. */
    reconcile: (taskId: string) => queue.run(taskId, () => reconcile(taskId)),
    /** Finds all open tasks again and finishes clean-ups that were interrupted. */
    async recoverAll(): Promise<void> {
      const attempt = (task: Task): Promise<void> =>
        queue.run(task.id, () => recover(task.id)).catch((error: unknown) => tryAgain(task.id, error))
      await forEachLimited(store.tasks.open(), RECOVER_AT_ONCE, attempt)
      await forEachLimited(store.tasks.uncleaned(), RECOVER_AT_ONCE, attempt)
    },
  }
}

function couldNotRemove(error: unknown): Cleaned {
  const said = error instanceof AppError ? error.message.slice(0, 400) : String(error).slice(0, 400)
  return { worktree: 'kept', why: `It could not be removed: ${said}` }
}

export type Lifecycle = ReturnType<typeof createLifecycle>
