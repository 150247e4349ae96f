import type { Task } from '../../shared/domain/task.ts'
import { AppError } from '../../shared/errors.ts'
import type {
  ExecutorAdapter,
  ExecutorContext,
  ExecutorFact,
  ExecutorSession,
  ExecutorTask,
} from '../executors/adapter.ts'
import type { Logger } from '../log.ts'
import type { Store } from '../store/store.ts'

/** The adapter's own facts and an ended turn that git was not asked about yet share one durable column. */
interface Envelope {
  adapter?: Record<string, unknown>
  turn?: { key: string; text: string }
}

/** What keeping executor sessions open takes. */
export interface SessionNeeds {
  store: Store
  log: Logger
  adapters: ReadonlyMap<string, ExecutorAdapter>
  /** Everything the executor's processes need to know; may refuse with `environment_file`. */
  describe(task: Task): Promise<ExecutorTask>
  /** Called for each fact; throws when it could not be made durable. */
  onFact(taskId: string, fact: ExecutorFact): void
  /** The session told something that could not be made durable (disk full, …); it was let go and must be found again. */
  onBroken(taskId: string, error: unknown): void
}

/** Keeps one open executor session per task that is not over. */
export function createSessions({ store, log, adapters, describe, onFact, onBroken }: SessionNeeds) {
  const sessions = new Map<string, ExecutorSession>()

  const envelope = (taskId: string): Envelope => store.tasks.adapterState(taskId)

  function saveEnvelope(taskId: string, change: (now: Envelope) => Envelope): void {
    store.transaction(() => {
      store.tasks.saveAdapterState(taskId, { ...change(envelope(taskId)) })
    })
  }

  /**
   * What a session reports must not throw into its socket handlers. When the store fails, everything the session says from
   * then on is ignored (so it cannot skip a fact), and a new session reads it again from the executor.
   */
  async function context(task: Task): Promise<ExecutorContext> {
    let broken = false
    const guarded = (work: () => void): void => {
      if (broken) return
      try {
        work()
      } catch (error) {
        broken = true
        log.error(
          { taskId: task.id, err: error },
          'what the executor told could not be stored; it will be read again',
        )
        sessions.get(task.id)?.dispose()
        sessions.delete(task.id)
        onBroken(task.id, error)
      }
    }
    return {
      task: await describe(task),
      state: {
        get: () => envelope(task.id).adapter ?? {},
        set: (value) => guarded(() => saveEnvelope(task.id, (now) => ({ ...now, adapter: value }))),
      },
      report: (fact) => guarded(() => onFact(task.id, fact)),
      log: (fields, message) => log.info({ taskId: task.id, executor: task.executor, ...fields }, message),
    }
  }

  return {
    /** The task's session, opened on first use. */
    async open(task: Task): Promise<ExecutorSession> {
      const known = sessions.get(task.id)
      if (known) return known
      const adapter = adapters.get(task.executor)
      if (!adapter)
        throw new AppError({
          code: 'executor_unknown',
          message: `This host has no executor named ${task.executor}.`,
          hint: `It has: ${[...adapters.keys()].join(', ')}.`,
        })
      const opened = await context(task)
      // Two may have asked at once; one program must never have two sessions.
      const session = sessions.get(task.id) ?? adapter.open(opened)
      sessions.set(task.id, session)
      return session
    },
    get: (taskId: string) => sessions.get(taskId),
    /** Lets go of a session; the program lives on. */
    forget(taskId: string): void {
      sessions.get(taskId)?.dispose()
      sessions.delete(taskId)
    },
    /** Keeps the end of a turn until git has been asked what it means. */
    holdTurn: (taskId: string, turn: { key: string; text: string }) =>
      saveEnvelope(taskId, (now) => ({ ...now, turn })),
    heldTurn: (taskId: string) => envelope(taskId).turn,
    /** Lets go of the end of a turn, unless a later one took its place while git was asked. */
    dropTurn(taskId: string, key: string): void {
      if (envelope(taskId).turn?.key !== key) return
      saveEnvelope(taskId, ({ adapter }) => (adapter === undefined ? {} : { adapter }))
    },
    dispose(): void {
      for (const session of sessions.values()) session.dispose()
      sessions.clear()
    },
  }
}

export type Sessions = ReturnType<typeof createSessions>
