import { AppError } from '../../shared/errors.ts'
import { shortId, type Task } from '../../shared/domain/task.ts'
import type { Ticket } from '../../shared/domain/ticket.ts'
import type { Context } from '../context.ts'
import { usageError } from '../context.ts'
import { taskRefOf } from '../hosts/find-task.ts'
import type { Found } from '../hosts/fleet.ts'
import type { HostClient } from '../hosts/host-client.ts'
import { askLine, ticketRef } from '../output/words.ts'

/** A ticket, its task and where they live. */
export interface FoundTicket {
  host: string
  client: HostClient
  task: Task
  ticket: Ticket
}

/**
 * Finds a ticket by `<task>:<ticket>`, both shortened to any beginning that fits one. A task's id alone means its only open
 * ticket. Throws task_not_found, task_ambiguous, ticket_not_found or ticket_ambiguous.
 */
export async function findTicket(context: Context, ref: string): Promise<FoundTicket> {
  const colon = ref.indexOf(':')
  const found = await context.fleet.findTask(colon < 0 ? ref : ref.slice(0, colon))
  const rest = colon < 0 ? '' : ref.slice(colon + 1)
  if (rest !== '') return byBeginning(found, rest)
  const { tickets } = await found.client.call('ticket.list', { task: found.task.id, open: true })
  const [only, ...others] = tickets
  if (only === undefined)
    throw new AppError({
      code: 'ticket_not_found',
      message: `Nothing waits for an answer in ${found.task.title}.`,
      hint: `\`handoff show ${taskRefOf(ref.replace(/:$/, ''))}\` tells what it does now.`,
    })
  if (others.length > 0) throw ambiguous(ref, tickets)
  return { ...found, ticket: only }
}

async function byBeginning(found: Found, rest: string): Promise<FoundTicket> {
  const { client, task } = found
  const { tickets } = await client.call('ticket.list', { task: task.id, open: false, limit: 5_000 })
  const exact = tickets.find((ticket) => ticket.id === `${task.id}:${rest}`)
  const fits =
    exact === undefined ? tickets.filter((ticket) => ticket.id.slice(37).startsWith(rest)) : [exact]
  // An open ticket is meant before an old one whose id begins alike.
  const open = fits.filter((ticket) => ticket.state === 'open')
  const [only, ...others] = open.length === 1 ? open : fits
  if (only === undefined)
    throw new AppError({
      code: 'ticket_not_found',
      message: `The task ${task.title} has no ticket that begins with ${rest.slice(0, 100)}.`,
      hint: `\`handoff show ${shortId(task.id)}\` lists its tickets.`,
    })
  if (others.length > 0) throw ambiguous(rest, fits)
  return { ...found, ticket: only }
}

function ambiguous(ref: string, tickets: readonly Ticket[]): AppError {
  const lines = tickets
    .slice(0, 10)
    .map((ticket) => `${ticketRef(ticket)}  ${ticket.state}  ${askLine(ticket.ask).slice(0, 80)}`)
  return new AppError({
    code: 'ticket_ambiguous',
    message: `${ref} fits ${tickets.length} tickets.`,
    hint: `Write more of the id:\n${lines.join('\n')}`,
    details: { candidates: tickets.map((ticket) => ticket.id) },
  })
}

/** A limit in seconds given on the command line as milliseconds; throws usage. */
export function secondsOption(text: string, name: string): number {
  const seconds = Number(text)
  if (!Number.isFinite(seconds) || seconds < 0 || seconds > 31_536_000 || text.trim() === '')
    throw usageError(`${name} wants a number of seconds, not “${text}”.`)
  return Math.round(seconds * 1_000)
}
