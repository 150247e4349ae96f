import { z } from 'zod'
import { taskSchema, type Task } from '../../domain/task.ts'
import { ticketSchema, type Ticket } from '../../domain/ticket.ts'
import { MAX_MARK } from '../../protocol/records.ts'
import { nextTurn } from './inbound.ts'

/** The state of a host after the event `headSeq`; replaces everything known before. */
export interface Snapshot {
  headSeq: number
  tasks: Task[]
  tickets: Ticket[]
  /** `eventMark` of the event `headSeq`; hosts without the capability `marks` do not say. */
  mark?: string | undefined
}

/** A piece of a snapshot, small enough to be kept in one go. Tickets may come before or after their task. */
export interface SnapshotPart extends Snapshot {
  first: boolean
  last: boolean
}

/** `again`: the part was taken but is not done with; it comes once more without rows, after other work had its turn. */
export type PartOutcome = 'again' | undefined

/** Who takes snapshots: whole, or in parts. */
export interface SnapshotTaker {
  onSnapshot?: ((snapshot: Snapshot) => void) | undefined
  /** Takes the place of `onSnapshot`. Must not throw. */
  onSnapshotPart?: ((part: SnapshotPart) => PartOutcome) | undefined
}

/** A message with a part of a snapshot whose rows have yet to be looked at. */
export const snapshotMessageSchema = z.object({
  t: z.literal('snapshot'),
  headSeq: z.number().int(),
  tasks: z.array(z.unknown()),
  tickets: z.array(z.unknown()),
  last: z.boolean(),
  mark: z.string().max(MAX_MARK).optional(),
})
export type SnapshotMessage = z.infer<typeof snapshotMessageSchema>

const MAX_SNAPSHOT_ROWS = 200_000
const MAX_SNAPSHOT_BYTES = 512 * 1024 * 1024
/** About ten milliseconds of checking and writing. */
const ROWS_PER_TURN = 100

/** Reads the messages of a snapshot a few rows per turn of the event loop; ends the connection when they cannot be right. */
export function createSnapshotReader({
  taker,
  fail,
  isOver,
}: {
  taker: SnapshotTaker
  fail: (what: string) => void
  /** Whether the connection has ended, so that nobody wants the rest. */
  isOver: () => boolean
}) {
  const take = taker.onSnapshotPart ?? gatherParts(taker.onSnapshot)
  let isFirst = true
  let rows = 0
  let bytes = 0

  /** One part, until it is done with. */
  async function hand(part: SnapshotPart): Promise<void> {
    let rest = part
    while (!isOver() && take(rest) === 'again') {
      rest = { ...part, first: false, tasks: [], tickets: [] }
      await nextTurn()
    }
  }

  return async function read(message: SnapshotMessage, sizeBytes: number): Promise<void> {
    const { headSeq, last, mark } = message
    rows += message.tasks.length + message.tickets.length
    bytes += sizeBytes
    if (rows > MAX_SNAPSHOT_ROWS || bytes > MAX_SNAPSHOT_BYTES)
      return fail('sent a snapshot that is too large')
    const pieces = cut(message)
    for (const [index, piece] of pieces.entries()) {
      const [tasks, tickets] = [parseAll(taskSchema, piece.tasks), parseAll(ticketSchema, piece.tickets)]
      if (isOver()) return
      if (tasks === undefined || tickets === undefined) return fail('sent something that cannot be read')
      const first = isFirst
      isFirst = false
      await hand({ headSeq, tasks, tickets, mark, first, last: last && index === pieces.length - 1 })
      await nextTurn()
    }
    if (last) [isFirst, rows, bytes] = [true, 0, 0]
  }
}

/** Pieces of at most `ROWS_PER_TURN` tasks and as many tickets; at least one. */
function cut({ tasks, tickets }: SnapshotMessage): { tasks: unknown[]; tickets: unknown[] }[] {
  const count = Math.max(1, Math.ceil(Math.max(tasks.length, tickets.length) / ROWS_PER_TURN))
  return Array.from({ length: count }, (_, n) => {
    const [from, to] = [n * ROWS_PER_TURN, (n + 1) * ROWS_PER_TURN]
    return { tasks: tasks.slice(from, to), tickets: tickets.slice(from, to) }
  })
}

function parseAll<T>(schema: z.ZodType<T>, rows: readonly unknown[]): T[] | undefined {
  const parsed: T[] = []
  for (const row of rows) {
    const { success, data } = schema.safeParse(row)
    if (!success) return undefined
    parsed.push(data)
  }
  return parsed
}

/** Puts the parts of a snapshot together for those who want it whole. */
function gatherParts(onSnapshot: SnapshotTaker['onSnapshot']): (part: SnapshotPart) => PartOutcome {
  let tasks: Task[] = []
  let tickets: Ticket[] = []
  return (part) => {
    if (onSnapshot === undefined) return undefined
    tasks.push(...part.tasks)
    tickets.push(...part.tickets)
    if (!part.last) return undefined
    onSnapshot({ headSeq: part.headSeq, tasks, tickets, mark: part.mark })
    tasks = []
    tickets = []
    return undefined
  }
}
