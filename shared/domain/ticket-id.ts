// A ticket's id begins with its task's (`ticketIdSchema` in ticket.ts). Apart from the schema, since the start of the window has none.

/** The task that a ticket belongs to, by its id alone; the id of a task gives itself. */
export function taskIdOf(ticketId: string): string {
  const colon = ticketId.indexOf(':')
  return colon === -1 ? ticketId : ticketId.slice(0, colon)
}

/** Whether a ticket's id says that it belongs to this task; one that does not would be shown, and answered, as another's. */
export function isTicketOf(ticketId: string, taskId: string): boolean {
  return ticketId.startsWith(`${taskId}:`)
}
