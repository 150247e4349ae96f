import type { Task } from '../../shared/domain/task.ts'
import { AppError } from '../../shared/errors.ts'
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

/** What tying executors to the engine takes. */
export interface ExecutionNeeds {
  store: Store
  facts: FactLog
  judge: Judge
  adapters: ReadonlyMap<string, ExecutorAdapter>
  log: Logger
  now: () => number
  describe(task: Task): Promise<ExecutorTask>
  reap(task: Task): Promise<void>
  /** The disk is full: what executors say cannot be stored until there is room. Called at most once a minute. */
  onDiskFull(): void
}

/** The store may be full or locked for a while; the executor itself keeps what it has to say. */
const FIRST_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 60_000
const TELL_DISK_FULL_MS = 60_000

/** Ties executors to the engine: what they report, what is delivered to them, and how they come up and end. */
export function createExecution(needs: ExecutionNeeds) {
  const { store, facts, judge, log, now } = needs
  const abort = new AbortController()
  const queue = createTaskQueue()

  const pauses = new Map<string, { ms: number; timer: NodeJS.Timeout }>()

  /** Work for a task that nobody waits for; when it fails, the task is recovered until that succeeds. */
  function keepTrying(taskId: string, work: Promise<unknown>): void {
    work.catch((error: unknown) => tryAgain(taskId, error))
  }

  function tryAgain(taskId: string, error: unknown): void {
    if (abort.signal.aborted) return
    log.error({ taskId, err: error }, 'something failed for a task; it is tried again')
    recoverLater(taskId, error)
  }

  let toldDiskFullAt = -Infinity

  function recoverLater(taskId: string, error: unknown): void {
    if (
      error instanceof AppError &&
      error.code === 'disk_full' &&
      now() - toldDiskFullAt >= TELL_DISK_FULL_MS
    ) {
      toldDiskFullAt = now()
      needs.onDiskFull()
    }
    const before = pauses.get(taskId)
    clearTimeout(before?.timer)
    const ms = Math.min(LONGEST_PAUSE_MS, before === undefined ? FIRST_PAUSE_MS : before.ms * 2)
    const again = (): void =>
      keepTrying(
        taskId,
        lifecycle.recover(taskId).then(() => pauses.delete(taskId)),
      )
    pauses.set(taskId, { ms, timer: setTimeout(again, ms).unref() })
  }

  const onFact = createExecutorFacts({
    store,
    facts,
    intake: createIntake({ store, facts, judge, now }),
    holdTurn: (taskId, turn) => sessions.holdTurn(taskId, turn),
    judgeHeldTurn: (taskId) => keepTrying(taskId, lifecycle.judgeHeldTurn(taskId)),
    lost: (taskId) => keepTrying(taskId, lifecycle.clean(taskId)),
  })
  const sessions = createSessions({ ...needs, onFact, onBroken: recoverLater })
  const deliveries = createDeliveries({ store, facts, sessions, queue, log, now })
  const deliver = (taskId: string): void => keepTrying(taskId, deliveries.kick(taskId))
  const lifecycle = createLifecycle({ ...needs, sessions, queue, deliver, tryAgain, signal: abort.signal })

  return {
    sessions,
    deliveries,
    lifecycle,
    keepTrying,
    /** Lets go of all executors, which live on; resolves when nothing of it runs any more. */
    async dispose(): Promise<void> {
      abort.abort()
      for (const { timer } of pauses.values()) clearTimeout(timer)
      deliveries.dispose()
      sessions.dispose()
      await queue.idle()
    },
  }
}
