import type { Task } from '../../../shared/domain/task.ts'
import type { Ticket } from '../../../shared/domain/ticket.ts'

/** An open ticket with the task that it belongs to. */
export interface OpenTicket {
  host: string
  ticket: Ticket
  task: Task | undefined
}

/** Where it is waited for more often than this, the number on the icon says no more; what is newer can still be told. */
export const MAX_PER_HOST = 5_000
/** How many are let go of at once, so that not every new one costs one. */
const SLACK = 500

/**
 * The open tickets of all hosts as objects, because the number on the icon is worked out from them after every change; of a host
 * with more than `MAX_PER_HOST` about that many, the newest, so that one host cannot take the desk's time from the others.
 * They are read by `load` (newest first, at most `limit`) when they are first asked for, and kept up with what is saved from then on.
 */
export function createOpenTickets({
  hosts,
  load,
}: {
  hosts: () => string[]
  load: (host: string, limit: number) => OpenTicket[]
}) {
  const lists = new Map<string, ReturnType<typeof createList>>()
  let all: OpenTicket[] | undefined

  function read(): void {
    for (const host of hosts()) {
      const known = lists.get(host)
      if (known === undefined || known.isLow()) lists.set(host, createList(load(host, MAX_PER_HOST)))
    }
  }

  return {
    /** What has waited longest first. The list is shared: nobody may write to it. */
    list(): readonly OpenTicket[] {
      if (all !== undefined) return all
      read()
      all = [...lists.values()].flatMap((list) => list.entries())
      if (lists.size > 1) all.sort((a, b) => a.ticket.openedAt - b.ticket.openedAt)
      return all
    },
    saved(entry: OpenTicket): void {
      const list = lists.get(entry.host)
      if (entry.ticket.state === 'open') list?.put(entry)
      else if (list?.remove(entry.ticket.id) !== true) return
      all = undefined
    },
    removed(host: string, ticketId: string): void {
      if (lists.get(host)?.remove(ticketId) === true) all = undefined
    },
    taskSaved(host: string, task: Task): void {
      lists.get(host)?.taskSaved(task)
    },
    /** Rows were removed, or a transaction was rolled back: everything is read again. */
    forget(): void {
      lists.clear()
      all = undefined
    },
  }
}

/** The newest tickets of one host, in order. */
function createList(newestFirst: OpenTicket[]) {
  let sorted = newestFirst.toSorted(inOrder)
  let hasMore = newestFirst.length >= MAX_PER_HOST
  const byId = new Map(sorted.map((entry) => [entry.ticket.id, entry]))
  const byTask = new Map<string, Set<OpenTicket>>()
  for (const entry of sorted) ofTask(entry.ticket.taskId).add(entry)

  function ofTask(taskId: string): Set<OpenTicket> {
    const known = byTask.get(taskId) ?? new Set()
    byTask.set(taskId, known)
    return known
  }

  function drop(entry: OpenTicket): void {
    byId.delete(entry.ticket.id)
    const others = ofTask(entry.ticket.taskId)
    others.delete(entry)
    if (others.size === 0) byTask.delete(entry.ticket.taskId)
  }

  function remove(ticketId: string): boolean {
    const entry = byId.get(ticketId)
    if (entry === undefined) return false
    sorted.splice(placeOf(sorted, entry), 1)
    drop(entry)
    return true
  }

  return {
    entries: (): readonly OpenTicket[] => sorted,
    /** So many are gone that others have to be looked for. */
    isLow: () => hasMore && sorted.length < MAX_PER_HOST / 2,
    remove,
    put(entry: OpenTicket): void {
      remove(entry.ticket.id)
      const oldest = sorted[0]
      if (hasMore && oldest !== undefined && inOrder(entry, oldest) < 0) return
      sorted.splice(placeOf(sorted, entry), 0, entry)
      byId.set(entry.ticket.id, entry)
      ofTask(entry.ticket.taskId).add(entry)
      if (sorted.length < MAX_PER_HOST + SLACK) return
      hasMore = true
      for (const old of sorted.slice(0, SLACK)) drop(old)
      sorted = sorted.slice(SLACK)
    },
    taskSaved(task: Task): void {
      for (const entry of byTask.get(task.id) ?? []) entry.task = task
    },
  }
}

function inOrder(a: OpenTicket, b: OpenTicket): number {
  if (a.ticket.openedAt !== b.ticket.openedAt) return a.ticket.openedAt - b.ticket.openedAt
  return a.ticket.id < b.ticket.id ? -1 : a.ticket.id > b.ticket.id ? 1 : 0
}

/** Where an entry is, or where it belongs. */
function placeOf(sorted: readonly OpenTicket[], entry: OpenTicket): number {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    const found = sorted[middle]
    if (found !== undefined && inOrder(found, entry) < 0) from = middle + 1
    else to = middle
  }
  return from
}
