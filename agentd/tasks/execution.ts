import { isOver, type Task } from '../../shared/domain/task.ts'
import type { ExecutorAdapter, ExecutorTask } from '../executors/adapter.ts'
import type { Logger } from '../log.ts'
import type { Store } from '../store/store.ts'
import { createDeliveries } from './deliveries.ts'
import { createExecutorFacts } from './facts-of-executors.ts'
import type { FactLog } from './fact-log.ts'
import { createIntake } from './intake.ts'
import type { Judge } from './judge.ts'
import { createLifecycle } from './lifecycle.ts'
import { createSessions } from './sessions.ts'
import { createTaskQueue } from './task-queue.ts'

export interface ExecutionNeeds {
  store: Store
  facts: FactLog
  judge: Judge
  adapters: ReadonlyMap<string, ExecutorAdapter>
  log: Logger
  now: () => number
  describe(task: Task): Promise<ExecutorTask>
  reap(task: Task): Promise<void>
}

/** The store may be full or locked for a while; the executor itself keeps what it has to say. */
const FIND_AGAIN_MS = 2_000

/** Ties executors to the engine: what they report, what is delivered to them, and how they come up and end. */
export function createExecution(needs: ExecutionNeeds) {
  const { store, facts, judge, log, now } = needs
  const abort = new AbortController()
  const queue = createTaskQueue()

  /** Work that nobody waits for; when it fails the log says so. */
  function background(what: string, work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      if (!abort.signal.aborted) log.error({ err: error }, what)
    })
  }

  function findAgainLater(taskId: string): void {
    setTimeout(() => {
      const task = store.tasks.get(taskId)
      if (!task || isOver(task.state) || abort.signal.aborted) return
      background('finding an executor again failed', lifecycle.recover(task))
    }, FIND_AGAIN_MS).unref()
  }

  const onFact = createExecutorFacts({
    store,
    facts,
    intake: createIntake({ store, facts, judge, now }),
    holdTurn: (taskId, turn) => sessions.holdTurn(taskId, turn),
    judgeHeldTurn: (taskId) => background('judging a turn failed', lifecycle.judgeHeldTurn(taskId)),
    lost: (taskId) => background('cleaning up failed', lifecycle.clean(taskId)),
  })
  const sessions = createSessions({ ...needs, onFact, onBroken: findAgainLater })
  const deliveries = createDeliveries({ store, facts, sessions, queue, log, now })
  const deliver = (taskId: string): void => background('delivering failed', deliveries.kick(taskId))
  const lifecycle = createLifecycle({ ...needs, sessions, queue, deliver, signal: abort.signal })

  return {
    sessions,
    deliveries,
    lifecycle,
    background,
    /** Lets go of all executors, which live on; resolves when nothing of it runs any more. */
    async dispose(): Promise<void> {
      abort.abort()
      deliveries.dispose()
      sessions.dispose()
      await queue.idle()
    },
  }
}
