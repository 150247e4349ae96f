import type { Task } from '../../shared/domain/task.ts'
import { isOver } from '../../shared/domain/task.ts'
import { AppError } from '../../shared/errors.ts'
import type { Logger } from '../log.ts'
import type { Store } from '../store/store.ts'
import type { FactLog } from './fact-log.ts'
import { firstPrompt } from './prompts.ts'
import type { Sessions } from './sessions.ts'
import { forEachLimited, type TaskQueue } from './task-queue.ts'
import { judgeTurn } from './turn-end.ts'
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
  signal: AbortSignal
}

/** Recovery touches every open task; more at once would only make them wait for each other. */
const RECOVER_AT_ONCE = 8

/** Brings tasks up, judges the ends of their turns, finds them again after a restart, and cleans up when they are over. */
export function createLifecycle({ store, facts, sessions, queue, log, reap, deliver, signal }: Needs) {
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
        facts.apply(taskId, {
          type: 'submitted',
          worktree: task.worktree,
          branch: task.branch,
          base: task.base,
        })
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
      message: known ? error.message : 'The executor could not be started.',
      ...(known && error.hint !== undefined ? { hint: error.hint } : { hint: 'See "handoff agentd logs".' }),
    })
    await clean(taskId)
  }

  /** Asks git what a stored end of a turn means, and makes the answer durable. */
  async function judgeHeldTurn(taskId: string): Promise<void> {
    const task = store.tasks.get(taskId)
    const turn = sessions.heldTurn(taskId)
    if (!task || !turn || isOver(task.state)) return
    const { stopRequested } = store.tasks.private(taskId)
    const fact = await judgeTurn({ task, turn, stopRequested }, signal)
    facts.transaction(() => {
      const applied = facts.apply(taskId, fact, turn.key)
      if (applied.kind === 'refused')
        log.warn({ taskId, code: applied.code }, 'the end of a turn was refused')
      if (fact.type === 'turn_completed' && applied.kind === 'committed')
        store.tasks.round(taskId, task.round, task.head ?? task.base, fact.commit, fact.summary)
      sessions.dropTurn(taskId)
      store.tasks.savePrivate(taskId, { stopRequested: false })
    })
  }

  /** After a restart: finds the task's executor, or makes its loss known. */
  async function recover(task: Task): Promise<void> {
    if (task.state === 'pending' || task.state === 'submitted') return bringUp(task.id)
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
  async function clean(taskId: string): Promise<{ worktree: 'removed' | 'kept'; why?: string } | undefined> {
    const task = store.tasks.get(taskId)
    if (!task || !isOver(task.state)) return undefined
    const session = sessions.get(taskId)
    if (session)
      await session
        .stop()
        .catch((error: unknown) => log.warn({ taskId, err: error }, 'stopping the executor failed'))
    sessions.forget(taskId)
    await reap(task)
    const keep = task.state !== 'completed' || store.tasks.private(taskId).keepWorktree
    const worktree = keep ? { worktree: 'kept' as const } : await removeWorkspace(task)
    store.transaction(() => store.tasks.savePrivate(taskId, { cleaned: true }))
    return worktree
  }

  return {
    bringUp: (taskId: string) => queue.run(taskId, () => bringUp(taskId)),
    judgeHeldTurn: (taskId: string) => queue.run(taskId, () => judgeHeldTurn(taskId)),
    clean: (taskId: string) => queue.run(taskId, () => clean(taskId)),
    recover: (task: Task) => queue.run(task.id, () => recover(task)),
    /** Finds all open tasks again and finishes clean-ups that were interrupted. */
    async recoverAll(): Promise<void> {
      const attempt = (task: Task, work: () => Promise<unknown>): Promise<void> =>
        queue.run(task.id, work).then(
          () => undefined,
          (error: unknown) => log.error({ taskId: task.id, err: error }, 'recovering the task failed'),
        )
      await forEachLimited(store.tasks.open(), RECOVER_AT_ONCE, (task) => attempt(task, () => recover(task)))
      await forEachLimited(store.tasks.uncleaned(), RECOVER_AT_ONCE, (task) =>
        attempt(task, () => clean(task.id)),
      )
    },
  }
}

export type Lifecycle = ReturnType<typeof createLifecycle>
