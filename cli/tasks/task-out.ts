import { shortId, isOver, type Task } from '../../shared/domain/task.ts'
import type { Ticket } from '../../shared/domain/ticket.ts'
import type { TaskOut } from '../json-shapes.ts'
import { oldestFirst, ticketRef } from '../output/words.ts'

/** A task in its `--json` form. */
export function taskOut(host: string, task: Task): TaskOut {
  return {
    id: task.id,
    host,
    title: task.title,
    state: task.state,
    executor: task.executor,
    repo: task.repo.path,
    branch: task.branch,
    base: task.base,
    ...(task.head === undefined ? {} : { head: task.head }),
    worktree: task.worktree,
    inPlace: task.inPlace,
    round: task.round,
    ...(task.summary === undefined ? {} : { summary: task.summary }),
    ...(task.stalledSince === undefined ? {} : { stalledSince: task.stalledSince }),
    ...(task.offlineSince === undefined ? {} : { offlineSince: task.offlineSince }),
    createdAt: task.createdAt,
    updatedAt: task.updatedAt,
    ...(task.endedAt === undefined ? {} : { endedAt: task.endedAt }),
    ...(task.endReason === undefined ? {} : { endReason: task.endReason }),
    openTickets: task.openTickets,
  }
}

/** The part of a ticket that tells what can be done with it. */
export type OpenTicket = Pick<Ticket, 'id' | 'taskId' | 'state' | 'audience' | 'ask'> &
  Partial<Pick<Ticket, 'openedAt'>>

/** The exact commands that make sense for a task now, most useful first. */
export function nextCommands(task: Task, tickets: readonly OpenTicket[]): string[] {
  const id = shortId(task.id)
  const open = oldestFirst(tickets.filter((ticket) => ticket.state === 'open'))
  const commands = open.flatMap((ticket) => ticketCommands(ticket, id))
  if (task.stalledSince !== undefined && !isOver(task.state))
    commands.push(`handoff attach ${id}`, `handoff repair ${id}`)
  if (isOver(task.state))
    return [...commands, `handoff show ${id}`, `handoff diff ${id}`, `handoff audit ${id}`]
  if (task.offlineSince !== undefined) commands.push(`handoff repair ${id}`)
  if (!open.some((ticket) => ticket.audience === 'reviewer' || ticket.ask.kind === 'review'))
    commands.push(`handoff wait ${id}`)
  return [...new Set(commands)]
}

/** The commands that answer one ticket. */
export function ticketCommands(ticket: OpenTicket, id: string): string[] {
  const ref = quoteArgument(ticketRef(ticket))
  switch (ticket.ask.kind) {
    case 'review':
      return [`handoff diff ${id}`, `handoff continue ${id} 'what to change'`, `handoff done ${id}`]
    case 'permission':
      if (ticket.audience === 'user') return [`handoff reply ${ref}`]
      return [
        `handoff reply ${ref} --approve`,
        ...(ticket.ask.risk.level === 'routine' ? [`handoff reply ${ref} --approve --remember task`] : []),
        `handoff reply ${ref} --deny --message 'why'`,
        `handoff escalate ${ref} --why 'reason'`,
      ]
    case 'question':
      if (ticket.audience === 'user') return [`handoff reply ${ref}`]
      return [
        ...ticket.ask.options
          .slice(0, 5)
          .map((option) => `handoff reply ${ref} --option ${quoteArgument(option.label)}`),
        `handoff reply ${ref} --answer 'text'`,
        `handoff escalate ${ref} --why 'reason'`,
      ]
  }
}

/** An argument as a shell reads it back unchanged. */
export function quoteArgument(text: string): string {
  return /^[A-Za-z0-9_./:@%+=,-]+$/.test(text) ? text : `'${text.replace(/'/g, `'\\''`)}'`
}
