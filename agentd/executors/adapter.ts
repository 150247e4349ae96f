import type { Answer, PermissionAsk, QuestionAsk } from '../../shared/domain/ticket.ts'
import type { ExecutorProblemReason } from '../../shared/protocol/records.ts'

/**
 * What an executor tells about a task. `key` is unique per task and stable across restarts of agentd, so that a fact
 * that is read twice counts once (a permission's id, the id of a turn's last message, …).
 */
export type ExecutorFact =
  | {
      type: 'permission'
      key: string
      requestId: string
      ask: Omit<PermissionAsk, 'kind' | 'risk'>
      cwd?: string
    }
  | {
      type: 'question'
      key: string
      requestId: string
      ask: Omit<QuestionAsk, 'kind' | 'topic'> & { topic?: QuestionAsk['topic'] }
    }
  /** The executor no longer waits for this request: it was answered in its own screen, aborted, or lost in a restart. */
  | { type: 'request_gone'; key: string; requestId: string; reason: string }
  /** The executor is idle. `text` is the whole last message of the turn; the engine reads its trailer. */
  | { type: 'turn_ended'; key: string; text: string }
  /** The turn ended in an error but the conversation is alive. */
  | { type: 'turn_failed'; key: string; message: string }
  /** `failed`: what `text` tells of has failed, with the exit code when it was a command. */
  | {
      type: 'progress'
      key?: string
      kind: 'text' | 'tool' | 'status' | 'usage'
      text: string
      failed?: { exitCode?: number | undefined }
    }
  /** Contact is lost or back while the program may still be working. */
  | { type: 'offline'; message: string }
  | { type: 'online' }
  /** The program is gone for good. */
  | { type: 'lost'; message: string; logTail: string }

/** What became of something that was handed to the executor. */
export type DeliveryOutcome =
  | { kind: 'delivered'; note?: string }
  /** It had been delivered before (agentd was killed between doing it and writing it down). */
  | { kind: 'already' }
  /** The executor no longer waits for it. */
  | { kind: 'gone'; reason: string }
  /** Not now; try again later. */
  | { kind: 'retry'; message: string }

/** Something to hand over. `deliveryId` is unique on the host and the same on every attempt. */
export type Delivery = { deliveryId: number; attempt: number } & (
  | { kind: 'prompt'; text: string }
  | { kind: 'respond'; requestId: string; answer: Answer; ask: 'permission' | 'question' }
)

/** What an adapter needs to know of a task. */
export interface ExecutorTask {
  taskId: string
  title: string
  worktree: string
  branch: string
  base: string
  plan: string
  model?: string
  /** A 0700 folder of this task alone (logs, sockets, config). It outlives agentd. */
  dir: string
  tmuxSession: string
  /** The complete environment for the executor's processes, marked with HANDOFF_TASK. Values may be secret. */
  environment: Readonly<Record<string, string>>
}

/** A few facts the adapter keeps about a task across restarts (session id, port, …), stored durably by the engine. */
export interface AdapterState {
  get(): Record<string, unknown>
  /** Returns after the value is on disk. */
  set(value: Record<string, unknown>): void
}

/** What an adapter gets of the engine for one task. */
export interface ExecutorContext {
  task: ExecutorTask
  state: AdapterState
  /** Returns after the fact is committed (or known already). */
  report(fact: ExecutorFact): void
  log(fields: Record<string, unknown>, message: string): void
}

/** One executor at work on one task. */
export interface ExecutorSession {
  /**
   * Brings the program up in tmux, or finds it up already (agentd may have been killed half-way). Resolves with the
   * executor's own conversation id. Throws AppError when it cannot start.
   */
  start(): Promise<{ session: string }>
  /** After agentd restarted: re-reads what is pending and goes on reporting. `gone` when the program does not live. */
  reattach(): Promise<{ kind: 'alive' } | { kind: 'gone'; message: string; logTail: string }>
  deliver(delivery: Delivery): Promise<DeliveryOutcome>
  /** Ends the running turn, keeps the conversation. */
  abort(): Promise<void>
  /** Compares what it has reported with the executor's own facts and reports what is missing. Says what it found. */
  reconcile(): Promise<string>
  /** Ends the program politely. Whatever survives is reaped by the caller. */
  stop(): Promise<void>
  /** Lets go of connections and timers; the program lives on. */
  dispose(): void
}

/** Whether an executor can be used here, and why not. */
export interface ExecutorCheck {
  available: boolean
  version?: string
  path?: string
  /** Why it cannot be used, as an English sentence with what to do. */
  problem?: string
  /** The kind of problem, for whoever says it in other words or another language. */
  reason?: ExecutorProblemReason
  notes: string[]
}

/** Drives one kind of executor program. */
export interface ExecutorAdapter {
  readonly name: string
  readonly capabilities: {
    /** A denial can carry a message and let the turn go on. */
    denyWithMessage: boolean
    /** A prompt can be sent while a turn runs. */
    promptWhileBusy: boolean
  }
  /** Whether the program can be used with this environment, and what to know about it. Never throws. */
  check(environment: Readonly<Record<string, string>>): Promise<ExecutorCheck>
  open(context: ExecutorContext): ExecutorSession
}
