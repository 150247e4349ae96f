import type { Task } from '../../shared/domain/task.ts'
import type { Ticket } from '../../shared/domain/ticket.ts'
import { eventMark, type WireEvent } from '../../shared/protocol/records.ts'
import type { Store } from '../store/store.ts'

const TASKS_PER_PART = 500
const PART_BYTES = 512 * 1024

/** What a snapshot is read from. */
export interface SnapshotStore {
  events: Pick<Store['events'], 'headSeq' | 'after'>
  tasks: Pick<Store['tasks'], 'open' | 'list'>
  tickets: Pick<Store['tickets'], 'open'>
}

/**
 * The messages of a snapshot, each about `PART_BYTES` long at most so that none holds up a client, and the seq it stands for.
 * Everything is read in one synchronous pass, so that no commit can fall in between: it is exactly the state after the event
 * `headSeq`.
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
  const mark: string | undefined = JSON.stringify(markAt({ events }, headSeq))
  return {
    headSeq,
    parts: parts.map(
      (part, index) =>
        `{"t":"snapshot","headSeq":${headSeq},"tasks":[${part.tasks.join(',')}],` +
        `"tickets":[${part.tickets.join(',')}],"last":${index === parts.length - 1}` +
        `${mark === undefined ? '' : `,"mark":${mark}`}}`,
    ),
  }
}

/** The mark of the event with this number; undefined when it is not there. */
export function markAt({ events }: Pick<SnapshotStore, 'events'>, seq: number): string | undefined {
  const [row] = events.after(seq - 1, 1)
  return row?.seq === seq ? eventMark(JSON.parse(row.json) as WireEvent) : undefined
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
  let part: { tasks: string[]; tickets: string[] } = { tasks: [], tickets: [] }
  const parts = [part]
  let bytes = 0
  /** Begins another part when this one has no room. */
  function add(kind: 'tasks' | 'tickets', row: Task | Ticket): void {
    const text = JSON.stringify(row)
    if (part.tasks.length >= TASKS_PER_PART || (bytes > 0 && bytes + text.length > PART_BYTES)) {
      part = { tasks: [], tickets: [] }
      parts.push(part)
      bytes = 0
    }
    part[kind].push(text)
    bytes += text.length
  }
  for (const task of tasks) {
    add('tasks', task)
    for (const ticket of tickets.get(task.id) ?? []) add('tickets', ticket)
  }
  return parts
}
