import type { Role } from '../../shared/domain/actor.ts'
import { wakes, type Event, type EventType } from '../../shared/domain/event.ts'
import { isOver, type Task } from '../../shared/domain/task.ts'
import { AppError } from '../../shared/errors.ts'
import type { CallOutput } from '../../shared/protocol.ts'
import type { Presence } from '../server/call-context.ts'
import type { Store } from '../store/store.ts'
import type { FactLog } from './fact-log.ts'
import { createWaitCursors, type WaitCursor } from './wait-cursors.ts'

interface Needs {
  store: Store
  facts: FactLog
  presence: Presence
}

/** Who waits for what; an aborted `signal` ends the wait. */
export interface WaitFor {
  consumer: string
  role: Role
  /** Empty: every task. */
  tasks: readonly string[]
  until: 'wake' | 'over'
  signal: AbortSignal
}

type Answer = CallOutput<'wait.next'>

const PAGE = 200
const asksForAnswer: ReadonlySet<string> = new Set([
  'permission_request',
  'question',
  'completed',
  'turn_failed',
])

/**
 * Answers with the next event that needs a consumer. What was decided meanwhile needs nobody; what only the person may
 * answer wakes a reviewer only while no person is connected, marked with its audience, so that the session can tell them.
 */
export function createWait({ store, facts, presence }: Needs) {
  const cursors = createWaitCursors({ store })
  /** The events that announced the tickets that are open now; read again after every commit. */
  let open: ReadonlySet<number> | undefined
  const openSeqs = (): ReadonlySet<number> =>
    (open ??= new Set(store.tickets.open().map((ticket) => ticket.openedSeq)))
  facts.onCommitted(() => (open = undefined))

  function next(wait: WaitFor): Answer | undefined {
    return wait.until === 'over' ? nextOver(wait.tasks) : nextWaking(wait)
  }

  function nextOver(taskIds: readonly string[]): Answer | undefined {
    const tasks = taskIds.map((taskId) => store.tasks.get(taskId)).filter((task) => task !== undefined)
    if (tasks.length === 0 || !tasks.every((task) => isOver(task.state))) return undefined
    const last = tasks.reduce((a, b) => ((a.endedAt ?? 0) > (b.endedAt ?? 0) ? a : b))
    return finalOf(last)
  }

  function nextWaking(wait: WaitFor): Answer | undefined {
    const cursor = cursors.cursorOf(wait.consumer)
    const before = cursors.passedOf(wait.consumer).filter((seq) => openSeqs().has(seq))
    const stillTheirs = wait.role !== 'user' && presence.personConnected()
    const passed: number[] = stillTheirs ? before : []
    for (const seq of stillTheirs ? [] : before) {
      const [row] = store.events.after(seq - 1, 1)
      const answer = row?.seq === seq ? judge(readEvent(row.json), wait) : 'settled'
      if (typeof answer === 'object' && concerns(wait, answer.task.id)) return answer
      if (answer !== 'settled') passed.push(seq)
    }
    const found = scan(wait, cursor, passed)
    cursors.savePassed(wait.consumer, passed)
    return found ?? finishedAlready(wait)
  }

  /** Walks the waking events after the consumer's cursors; collects what it passes over for the person's sake. */
  function scan(wait: WaitFor, cursor: WaitCursor, passed: number[]): Answer | undefined {
    const ids = wait.tasks.length > 0 ? wait.tasks : undefined
    let from = ids ? Math.min(...ids.map((taskId) => cursor.of(taskId))) : cursor.lowest()
    const known = new Set(passed)
    for (;;) {
      const rows = store.events.waking(ids, from, PAGE)
      for (const row of rows) {
        if (row.seq > cursor.of(row.taskId) && !isClosed(row) && !known.has(row.seq)) {
          const answer = judge(readEvent(row.json), wait)
          if (typeof answer === 'object') return answer
          if (answer === 'for the person') passed.push(row.seq)
        }
        from = row.seq
      }
      // What is settled stays settled, so the next look need not walk over it again.
      if (!ids) cursors.raise(wait.consumer, from)
      if (rows.length < PAGE) break
    }
    for (const taskId of ids ?? []) cursors.raiseTask(wait.consumer, taskId, from)
    return undefined
  }

  /** Whether an event asked for something that is decided by now: most of a long history, told without reading it. */
  function isClosed({ type, seq }: { type: string; seq: number }): boolean {
    return asksForAnswer.has(type) && !openSeqs().has(seq)
  }

  function judge(event: Event, wait: WaitFor): Answer | 'settled' | 'for the person' {
    const task = store.tasks.get(event.taskId)
    if (!task) return 'settled'
    const answer: Answer = { event, task }
    switch (event.type) {
      case 'permission_request':
      case 'question':
      case 'completed':
      case 'turn_failed': {
        const ticket = store.tickets.get(event.body.ticketId)
        if (ticket?.state !== 'open') return 'settled'
        if (ticket.audience === 'user' && wait.role !== 'user' && presence.personConnected())
          return 'for the person'
        return { ...answer, audience: ticket.audience }
      }
      case 'stalled':
        return task.stalledSince === undefined ? 'settled' : answer
      case 'delivery_failed':
        return store.deliveries.pending(event.taskId).some((row) => row.id === event.body.deliveryId)
          ? answer
          : 'settled'
      case 'done':
      case 'cancelled':
        // Whoever ended the task knows it; a wait that names the task still learns of it by `finishedAlready`.
        return event.body.by.kind === 'client' && event.body.by.clientId === wait.consumer
          ? 'settled'
          : answer
      case 'failed':
      case 'crashed':
        return answer
      default:
        return 'settled'
    }
  }

  /** A wait that names only tasks that are over would wait for ever: it gets the last word of the latest one again. */
  function finishedAlready(wait: WaitFor): Answer | undefined {
    return wait.tasks.length > 0 ? nextOver(wait.tasks) : undefined
  }

  function finalOf(task: Task): Answer | undefined {
    const types = ['done', 'cancelled', 'failed', 'crashed']
    // Remarks can follow the ending, however many.
    for (let limit = 50; ; limit *= 10) {
      const rows = store.events.lastOfTask(task.id, limit)
      const row = rows.findLast((event) => types.includes(event.type))
      if (row) return { event: readEvent(row.json), task }
      // The ending itself was cleared away: what was told last has to do.
      const last = rows.at(-1)
      if (rows.length < limit) return last && { event: readEvent(last.json), task }
    }
  }

  return {
    /** Resolves with the next event; rejects with `cancelled` when the signal aborts. */
    next(wait: WaitFor): Promise<Answer> {
      return new Promise((resolve, reject) => {
        const stop = [
          facts.onCommitted((rows) => {
            if (rows.some((row) => endsWait(row.type) && concerns(wait, row.taskId))) look()
          }),
          presence.onChange(look),
        ]
        const end = (): void => {
          for (const off of stop) off()
          wait.signal.removeEventListener('abort', abort)
        }
        function look(): void {
          try {
            const answer = next(wait)
            if (!answer) return
            end()
            resolve(answer)
          } catch (error) {
            end()
            reject(error as Error)
          }
        }
        function abort(): void {
          end()
          reject(new AppError({ code: 'cancelled', message: 'The wait was cancelled.' }))
        }
        wait.signal.addEventListener('abort', abort)
        if (wait.signal.aborted) abort()
        else look()
      })
    },
    /** The consumer has printed this event. */
    acknowledge: cursors.acknowledge,
  }
}

/** Types that can end a wait; `answered` and the like only settle things. */
function endsWait(type: string): boolean {
  return wakes(type as EventType)
}

function concerns(wait: WaitFor, taskId: string): boolean {
  return wait.tasks.length === 0 || wait.tasks.includes(taskId)
}

function readEvent(json: string): Event {
  // Not checked: it was written by this program, and one odd row must not keep everybody from waiting.
  return JSON.parse(json) as Event
}
