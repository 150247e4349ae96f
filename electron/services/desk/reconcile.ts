import { taskStateSchema } from '../../../shared/domain/task.ts'
import type { Task } from '../../../shared/domain/task.ts'
import { isOver } from '../../../shared/domain/task.ts'
import type { Call } from '../../../shared/node/host-client/pending-calls.ts'
import type { Cache } from '../cache/types.ts'
import type { TaskFetcher } from './fetch-tasks.ts'

const TIMEOUT_MS = 30_000
/** Tasks in one answer: checking and comparing them takes a few milliseconds. */
const TOLD_PAGE = 100
const PAGE = 500
/** A host with more open tasks than this is believed its events alone. */
const MAX_TASKS = 5_000

const openStates = taskStateSchema.options.filter((state) => !isOver(state))

interface Needs {
  host: string
  call: Call
  cache: Pick<Cache, 'task' | 'tasks' | 'openTickets'>
  fetcher: Pick<TaskFetcher, 'want'>
}

/**
 * Compares what is kept of a host with what it says is open, a page at a time, and asks for every task that differs. Events alone
 * keep the cache right; this finds what damage or a bug has left behind. Throws what the host says.
 */
export async function reconcileHost(needs: Needs): Promise<void> {
  const { host, call, cache, fetcher } = needs
  const told = new Set<string>()
  for (let beforeId: string | undefined; told.size < MAX_TASKS;) {
    const page = { over: false, limit: TOLD_PAGE, ...(beforeId === undefined ? {} : { beforeId }) }
    const { tasks } = await call('task.list', page, { timeoutMs: TIMEOUT_MS })
    const open = openOf(needs)
    const before = told.size
    for (const task of tasks) {
      told.add(task.id)
      if (differs(cache.task(host, task.id), task, open)) fetcher.want(host, task.id)
    }
    beforeId = tasks.at(-1)?.id
    if (tasks.length < TOLD_PAGE) return wantLeftOver(needs, told)
    // A host that tells the same page over and over.
    if (told.size === before) return
  }
}

/** How many open tickets each task has here; undefined when not all of them are at hand. */
function openOf({ host, cache }: Needs): ReadonlyMap<string, number> | undefined {
  const counts = new Map<string, number>()
  let all = 0
  for (const entry of cache.openTickets()) {
    if (entry.host !== host) continue
    all += 1
    counts.set(entry.ticket.taskId, (counts.get(entry.ticket.taskId) ?? 0) + 1)
  }
  return all < MAX_TASKS / 2 ? counts : undefined
}

/** What is kept may be newer: an event arrived while the host answered. */
function differs(kept: Task | undefined, told: Task, open: ReadonlyMap<string, number> | undefined): boolean {
  if (kept === undefined || kept.lastSeq < told.lastSeq) return true
  return kept.lastSeq === told.lastSeq && open !== undefined && (open.get(told.id) ?? 0) !== told.openTickets
}

/** What is open here and was not told. */
function wantLeftOver({ host, cache, fetcher }: Needs, told: ReadonlySet<string>): void {
  for (const taskId of openTaskIds(host, cache)) if (!told.has(taskId)) fetcher.want(host, taskId)
  for (const { host: its, ticket } of cache.openTickets())
    if (its === host && !told.has(ticket.taskId)) fetcher.want(host, ticket.taskId)
}

function* openTaskIds(host: string, cache: Pick<Cache, 'tasks'>): Generator<string> {
  for (let offset = 0; offset < MAX_TASKS; offset += PAGE) {
    const { rows } = cache.tasks({ host, states: openStates, offset, limit: PAGE })
    for (const { taskId } of rows) yield taskId
    if (rows.length < PAGE) return
  }
}
