import { taskStateSchema } from '../../../shared/domain/task.ts'
import type { Task } from '../../../shared/domain/task.ts'
import { isOver } from '../../../shared/domain/task.ts'
import type { Call } from '../../../shared/node/host-client/pending-calls.ts'
import type { Cache } from '../cache/types.ts'
import type { TaskFetcher } from './fetch-tasks.ts'

const TIMEOUT_MS = 30_000
const PAGE = 500
/** A host with more open tasks than this is believed its events alone. */
const MAX_TASKS = 5_000

const openStates = taskStateSchema.options.filter((state) => !isOver(state))

/**
 * Compares what is kept of a host with what it says is open, and asks for every task that differs. Events alone keep the cache
 * right; this finds what damage, a restored backup or a bug has left behind. Throws what the host says.
 */
export async function reconcileHost({
  host,
  call,
  cache,
  fetcher,
}: {
  host: string
  call: Call
  cache: Pick<Cache, 'task' | 'tasks' | 'openTickets'>
  fetcher: TaskFetcher
}): Promise<void> {
  const options = { timeoutMs: TIMEOUT_MS }
  const [{ tasks }, { tickets }] = await Promise.all([
    call('task.list', { over: false, limit: MAX_TASKS }, options),
    call('ticket.list', { open: true, limit: MAX_TASKS }, options),
  ])
  if (tasks.length >= MAX_TASKS || tickets.length >= MAX_TASKS) return
  const told = new Map<string, Task>(tasks.map((task) => [task.id, task]))
  const openThere = new Set(tickets.map(({ id }) => id))
  const wanted = new Set<string>()
  for (const task of tasks) {
    const kept = cache.task(host, task.id)
    // What is kept may be newer: an event arrived while the host answered.
    if (kept === undefined || kept.lastSeq < task.lastSeq) wanted.add(task.id)
  }
  const openHere = cache.openTickets().filter((one) => one.host === host)
  for (const { ticket } of openHere) if (!openThere.has(ticket.id)) wanted.add(ticket.taskId)
  const known = new Set(openHere.map(({ ticket }) => ticket.id))
  for (const ticket of tickets) if (!known.has(ticket.id)) wanted.add(ticket.taskId)
  for (const taskId of openTaskIds(host, cache)) if (!told.has(taskId)) wanted.add(taskId)
  for (const taskId of wanted) fetcher.want(host, taskId)
}

function* openTaskIds(host: string, cache: Pick<Cache, 'tasks'>): Generator<string> {
  for (let offset = 0; offset < MAX_TASKS; offset += PAGE) {
    const { rows } = cache.tasks({ host, states: openStates, offset, limit: PAGE })
    for (const { taskId } of rows) yield taskId
    if (rows.length < PAGE) return
  }
}
