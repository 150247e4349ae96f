import type { Role } from '../../shared/domain/actor.ts'
import type { Event, NewEvent } from '../../shared/domain/event.ts'
import type { Task, TaskState } from '../../shared/domain/task.ts'
import type { Answer, RuleScope, Ticket } from '../../shared/domain/ticket.ts'
import type { AuditEntry, Rule } from '../../shared/protocol/records.ts'

/** An event as it lies in the database: `json` is the complete wire form, so that replay needs no parsing. */
export interface StoredEvent {
  seq: number
  taskId: string
  type: string
  json: string
}

/** What agentd keeps about a task beside what clients see. */
export interface TaskPrivate {
  plan: string
  model: string | undefined
  keepWorktree: boolean
  /** Facts the adapter keeps for itself (session id, port, …). */
  adapterState: Record<string, unknown>
  /** Whether everything that belonged to an ended task (processes, tmux, worktree) has been cleaned up. */
  cleaned: boolean
  /** A denial asked the turn to stop; the end of this turn is then a stop and not a question. */
  stopRequested: boolean
}

/** Something that must reach the executor. */
export interface StoredDelivery {
  id: number
  taskId: string
  kind: 'prompt' | 'respond'
  ticketId: string | undefined
  /** Prompt: the text. Respond: the executor's request id and the answer. */
  payload:
    | { kind: 'prompt'; text: string }
    | { kind: 'respond'; requestId: string; ask: 'permission' | 'question'; answer: Answer }
  createdAt: number
  attempts: number
  nextAttemptAt: number
  deliveredAt: number | undefined
  lastError: string | undefined
}

/** A token as it is kept: only the SHA-256 of its secret. */
export interface StoredToken {
  id: string
  name: string
  role: Role
  hash: Buffer
  createdAt: number
  lastUsedAt: number | undefined
}

/** Everything durable. All calls are synchronous; writes belong inside `transaction`. */
export interface Store {
  readonly path: string
  /** Runs `work` in one IMMEDIATE transaction; a throw rolls back. Nested calls join the outer one. */
  transaction<T>(work: () => T): T
  readonly meta: {
    hostId(): string
    get(key: string): string | undefined
    set(key: string, value: string): void
  }
  readonly events: {
    append(taskId: string, at: number, event: NewEvent, key?: string): Event | undefined
    /** Whether a fact with this executor key was stored for the task. */
    hasKey(taskId: string, key: string): boolean
    after(seq: number, limit: number): StoredEvent[]
    ofTask(taskId: string, afterSeq: number, limit: number): StoredEvent[]
    lastOfTask(taskId: string, limit: number): StoredEvent[]
    headSeq(): number
    /** Smallest seq from which events are complete; an older cursor needs a snapshot. */
    completeFromSeq(): number
    /** Events of waking types after `seq`, oldest first. */
    waking(taskIds: readonly string[] | undefined, afterSeq: number, limit: number): StoredEvent[]
    /**
     * Drops old events of ended tasks by age and size; keeps the newest of every task and everything unresolved. One
     * call does a bounded part of it: call again while there is `more`.
     */
    prune(policy: { olderThan: number; maxBytes: number; keepPerTask: number }): {
      removed: number
      more: boolean
    }
  }
  readonly tasks: {
    insert(task: Task, priv: TaskPrivate): void
    save(task: Task): void
    get(taskId: string): Task | undefined
    find(prefix: string, limit: number): Task[]
    list(filter: { over: boolean; states?: readonly TaskState[]; limit: number; beforeId?: string }): Task[]
    open(): Task[]
    uncleaned(): Task[]
    private(taskId: string): TaskPrivate
    savePrivate(taskId: string, change: Partial<TaskPrivate>): void
    /** `adapterState` alone, which is read and written far more often than the rest. */
    adapterState(taskId: string): Record<string, unknown>
    saveAdapterState(taskId: string, value: Record<string, unknown>): void
    round(taskId: string, round: number, from: string, to: string, summary: string): void
    rounds(taskId: string): { round: number; from: string; to: string; summary: string }[]
    countOpen(): number
  }
  readonly tickets: {
    save(ticket: Ticket): void
    get(ticketId: string): Ticket | undefined
    open(taskId?: string): Ticket[]
    find(prefix: string, limit: number): Ticket[]
    ofTask(taskId: string, limit: number): Ticket[]
    list(filter: { taskId?: string; open: boolean; limit: number }): Ticket[]
  }
  readonly deliveries: {
    add(
      delivery: Pick<StoredDelivery, 'taskId' | 'kind' | 'ticketId' | 'payload' | 'createdAt'>,
    ): StoredDelivery
    /** Undelivered and not given up, oldest first. */
    pending(taskId?: string): StoredDelivery[]
    attempted(id: number, nextAttemptAt: number, error: string): void
    delivered(id: number, at: number): void
    drop(taskId: string): void
  }
  readonly cursors: {
    /** Where a consumer stands: for all tasks, and per task; undefined for a consumer never seen. */
    get(consumer: string): { all: number; tasks: ReadonlyMap<string, number> } | undefined
    /** Moves a cursor forward (never back). */
    ack(consumer: string, seq: number, taskId?: string): void
  }
  readonly requests: {
    /** The stored answer of a request that was carried out before (JSON), so that a repeat changes nothing. */
    get(clientId: string, requestId: string): string | undefined
    put(clientId: string, requestId: string, at: number, resultJson: string): void
    prune(olderThan: number): void
  }
  readonly tokens: {
    add(token: StoredToken): void
    byHash(hash: Buffer): StoredToken | undefined
    list(): StoredToken[]
    remove(id: string): void
    used(id: string, at: number): void
  }
  readonly rules: {
    add(rule: Rule): void
    /** Rules that may apply to a task: its own and those of its repository. */
    for(taskId: string, repoKey: string): Rule[]
    list(): Rule[]
    get(id: string): Rule | undefined
    remove(id: string): void
    hit(id: string, at: number): void
    findSame(scope: RuleScope, target: string, action: string, pattern: string): Rule | undefined
  }
  readonly audit: {
    add(entry: Omit<AuditEntry, 'id'>): void
    list(filter: { taskId?: string; limit: number; beforeId?: number }): AuditEntry[]
  }
  sizeBytes(): number
  close(): void
}
