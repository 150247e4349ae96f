import type { Task } from '../../../shared/domain/task.ts'
import type { Ticket } from '../../../shared/domain/ticket.ts'

/** An open ticket with the task that it belongs to. */
export interface OpenTicket {
  host: string
  ticket: Ticket
  task: Task | undefined
}

/**
 * All open tickets of all hosts as objects, because the number on the icon is worked out from them after every change. They are
 * read by `load` when they are first asked for, and kept up with what is saved from then on.
 */
export function createOpenTickets({ load }: { load: () => OpenTicket[] }) {
  let byTask: Map<string, Map<string, OpenTicket>> | undefined
  let inOrder: OpenTicket[] | undefined

  function put(tasks: Map<string, Map<string, OpenTicket>>, entry: OpenTicket): void {
    const key = `${entry.host}/${entry.ticket.taskId}`
    const known = tasks.get(key)
    if (known === undefined) tasks.set(key, new Map([[entry.ticket.id, entry]]))
    else known.set(entry.ticket.id, entry)
  }

  function remove(
    tasks: Map<string, Map<string, OpenTicket>>,
    host: string,
    { id, taskId }: Ticket,
  ): boolean {
    const key = `${host}/${taskId}`
    const known = tasks.get(key)
    if (known?.delete(id) !== true) return false
    if (known.size === 0) tasks.delete(key)
    return true
  }

  return {
    /** What has waited longest first. The list is shared: nobody may write to it. */
    list(): readonly OpenTicket[] {
      if (byTask === undefined) {
        byTask = new Map()
        for (const entry of load()) put(byTask, entry)
      }
      inOrder ??= [...byTask.values()]
        .flatMap((tickets) => [...tickets.values()])
        .sort((a, b) => a.ticket.openedAt - b.ticket.openedAt)
      return inOrder
    },
    saved(entry: { host: string; ticket: Ticket; task: Task }): void {
      if (byTask === undefined) return
      if (entry.ticket.state === 'open') put(byTask, entry)
      else if (!remove(byTask, entry.host, entry.ticket)) return
      inOrder = undefined
    },
    taskSaved(host: string, task: Task): void {
      const tickets = byTask?.get(`${host}/${task.id}`)
      if (tickets === undefined) return
      for (const [id, entry] of tickets) tickets.set(id, { ...entry, task })
      inOrder = undefined
    },
    /** Rows were removed, or a transaction was rolled back: everything is read again. */
    forget(): void {
      byTask = undefined
      inOrder = undefined
    },
  }
}
