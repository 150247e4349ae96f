import type { Task } from '../../shared/domain/task.ts'
import type { Ticket } from '../../shared/domain/ticket.ts'
import type { Store } from '../store/store.ts'

const TASKS_PER_PART = 500
const PART_BYTES = 512 * 1024

/** What a snapshot is read from. */
export interface SnapshotStore {
  events: Pick<Store['events'], 'headSeq'>
  tasks: Pick<Store['tasks'], 'open' | 'list'>
  tickets: Pick<Store['tickets'], 'open'>
}

/**
 * The messages of a snapshot, and the seq it stands for. Everything is read in one synchronous pass, so that no commit
 * can fall in between: it is exactly the state after the event `headSeq`.
 */
export function readSnapshot(
  { events, tasks, tickets }: SnapshotStore,
  { endedTasks }: { endedTasks: number },
): { headSeq: number; parts: string[] } {
  const headSeq = events.headSeq()
  const all = [...tasks.open(), ...newestEnded(tasks, endedTasks)]
  const waiting = new Map<string, Ticket[]>()
  for (const ticket of tickets.open()) {
    const others = waiting.get(ticket.taskId)
    if (others === undefined) waiting.set(ticket.taskId, [ticket])
    else others.push(ticket)
  }
  const parts = groupIntoParts(all, waiting)
  return {
    headSeq,
    parts: parts.map(
      (part, index) =>
        `{"t":"snapshot","headSeq":${headSeq},"tasks":[${part.tasks.join(',')}],` +
        `"tickets":[${part.tickets.join(',')}],"last":${index === parts.length - 1}}`,
    ),
  }
}

function newestEnded(tasks: SnapshotStore['tasks'], limit: number): Task[] {
  const found: Task[] = []
  while (found.length < limit) {
    const beforeId = found.at(-1)?.id
    const wanted = Math.min(TASKS_PER_PART, limit - found.length)
    const page = tasks.list({
      over: true,
      states: ['completed', 'failed', 'cancelled'],
      limit: wanted,
      ...(beforeId === undefined ? {} : { beforeId }),
    })
    found.push(...page)
    if (page.length < wanted) break
  }
  return found
}

function groupIntoParts(tasks: readonly Task[], tickets: ReadonlyMap<string, Ticket[]>) {
  const parts: { tasks: string[]; tickets: string[] }[] = [{ tasks: [], tickets: [] }]
  let bytes = 0
  for (const task of tasks) {
    const text = JSON.stringify(task)
    const mine = (tickets.get(task.id) ?? []).map((ticket) => JSON.stringify(ticket))
    const size = mine.reduce((sum, one) => sum + one.length, text.length)
    let part = parts.at(-1)
    if (
      part === undefined ||
      part.tasks.length >= TASKS_PER_PART ||
      (bytes > 0 && bytes + size > PART_BYTES)
    ) {
      part = { tasks: [], tickets: [] }
      parts.push(part)
      bytes = 0
    }
    bytes += size
    part.tasks.push(text)
    part.tickets.push(...mine)
  }
  return parts
}
