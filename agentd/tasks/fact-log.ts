import type { Event, NewEvent } from '../../shared/domain/event.ts'
import type { Effect, Fact, Reduced } from '../../shared/domain/fact.ts'
import { reduce } from '../../shared/domain/task-state.ts'
import type { Task } from '../../shared/domain/task.ts'
import type { Ticket } from '../../shared/domain/ticket.ts'
import { AppError } from '../../shared/errors.ts'
import type { Store, StoredEvent } from '../store/store.ts'

/** What a committed fact brought about. */
export interface Committed {
  kind: 'committed'
  task: Task
  tickets: Ticket[]
  events: Event[]
}

/** What became of a fact. */
export type Applied =
  | Committed
  /** The executor told the same fact before. */
  | { kind: 'known'; task: Task }
  | Extract<Reduced, { kind: 'refused' }>

/** Where facts become durable, and who hears of them. */
export interface FactLog {
  /**
   * Makes a fact durable: events, task, tickets and what must reach the executor change in one transaction; listeners
   * hear of it only after the commit. Inside `transaction` several facts commit together.
   */
  apply(taskId: string, fact: Fact, key?: string): Applied
  /** Runs several facts and store writes as one transaction. */
  transaction<T>(work: () => T): T
  /** Rows in commit order, always after the commit. */
  onCommitted(listener: (rows: StoredEvent[]) => void): () => void
  /** Fires after a commit that left something to be delivered to this task's executor. */
  onEffects(listener: (taskId: string) => void): () => void
}

/** The one door through which facts become durable. */
export function createFactLog({
  store,
  now,
  onListenerFailure = (error) => process.emitWarning(`a listener failed: ${String(error)}`),
}: {
  store: Store
  now: () => number
  onListenerFailure?: (error: unknown) => void
}): FactLog {
  const listeners = new Set<(rows: StoredEvent[]) => void>()
  const effectListeners = new Set<(taskId: string) => void>()
  let depth = 0
  let rows: StoredEvent[] = []
  let withEffects = new Set<string>()

  function transaction<T>(work: () => T): T {
    const result = commit(work)
    // Beyond the commit nothing may fail any more: what is told now has happened.
    if (depth === 0) publish()
    return result
  }

  function commit<T>(work: () => T): T {
    depth++
    try {
      return store.transaction(work)
    } catch (error) {
      // Rolled back: nothing of it happened, so nobody may hear of it.
      rows = []
      withEffects = new Set()
      throw error
    } finally {
      depth--
    }
  }

  function publish(): void {
    const [committed, tasks] = [rows, withEffects]
    rows = []
    withEffects = new Set()
    if (committed.length > 0) for (const listener of [...listeners]) guarded(() => listener(committed))
    for (const taskId of tasks) for (const listener of [...effectListeners]) guarded(() => listener(taskId))
  }

  /** A listener that fails keeps neither the others from hearing of a commit nor the caller from knowing that it was made. */
  function guarded(tell: () => void): void {
    try {
      tell()
    } catch (error) {
      onListenerFailure(error)
    }
  }

  function appendAll(taskId: string, at: number, events: NewEvent[], key?: string): Event[] {
    return events.map((event, index) => {
      const stored = store.events.append(taskId, at, event, index === 0 ? key : undefined)
      if (!stored) throw new Error(`event key ${key} appeared twice inside one transaction`)
      rows.push({ seq: stored.seq, taskId, type: stored.type, json: JSON.stringify(stored) })
      return stored
    })
  }

  function addEffects(taskId: string, at: number, effects: Effect[]): void {
    for (const effect of effects) {
      if (effect.kind === 'drop') {
        store.deliveries.drop(taskId)
        continue
      }
      const ticketId = effect.ticketId
      const payload =
        effect.kind === 'prompt'
          ? { kind: effect.kind, text: effect.text }
          : { kind: effect.kind, requestId: effect.requestId, ask: effect.ask, answer: effect.answer }
      store.deliveries.add({ taskId, kind: effect.kind, ticketId, payload, createdAt: at })
      withEffects.add(taskId)
    }
  }

  function apply(taskId: string, fact: Fact, key?: string): Applied {
    return transaction(() => {
      const at = now()
      const current = load(store, taskId, fact)
      if (key !== undefined && current && store.events.hasKey(taskId, key))
        return { kind: 'known', task: current.task }
      const reduced = reduce(current, fact, at)
      if (reduced.kind === 'refused') return reduced
      // A fact that says nothing new leaves everything as it is.
      if (reduced.task === current?.task) return { kind: 'known', task: reduced.task }
      const events = appendAll(taskId, at, reduced.events, key)
      const task = { ...reduced.task, lastSeq: events.at(-1)?.seq ?? reduced.task.lastSeq }
      store.tasks.save(task)
      for (const ticket of reduced.tickets) store.tickets.save(withSeq(ticket, events))
      addEffects(taskId, at, reduced.effects)
      return { kind: 'committed', task, tickets: reduced.tickets, events }
    })
  }

  return {
    apply,
    transaction,
    onCommitted(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onEffects(listener) {
      effectListeners.add(listener)
      return () => effectListeners.delete(listener)
    },
  }
}

/** What the reducer needs to see: the task, its open tickets, and the ticket the fact is about. */
function load(store: Store, taskId: string, fact: Fact): { task: Task; tickets: Ticket[] } | undefined {
  // The row of a new task is inserted just before its first fact, which knows no earlier state.
  if (fact.type === 'dispatched') return undefined
  const task = store.tasks.get(taskId)
  if (!task) throw new AppError({ code: 'task_not_found', message: `There is no task ${taskId}.` })
  // Most facts are about tasks without an open ticket; asking for them would be a third of the work.
  const tickets = task.openTickets === 0 ? [] : store.tickets.open(taskId)
  if (
    'ticketId' in fact &&
    fact.ticketId !== undefined &&
    !tickets.some((ticket) => ticket.id === fact.ticketId)
  ) {
    const other = store.tickets.get(fact.ticketId)
    if (other) tickets.push(other)
  }
  return { task, tickets }
}

/** A ticket opened by this fact learns the number of the event that announced it. */
function withSeq(ticket: Ticket, events: Event[]): Ticket {
  if (ticket.openedSeq !== 0) return ticket
  const opened = events.find(
    (event) =>
      (event.type === 'permission_request' ||
        event.type === 'question' ||
        event.type === 'completed' ||
        event.type === 'turn_failed') &&
      event.body.ticketId === ticket.id,
  )
  return opened ? { ...ticket, openedSeq: opened.seq } : ticket
}
