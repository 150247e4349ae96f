import type { Answer, Ticket } from '../../shared/domain/ticket.ts'
import type { HostConnection } from '../../shared/node/host-client/connection.ts'
import type { CallOutput } from '../../shared/protocol.ts'
import { requestId } from './agentd.ts'
import { until } from './until.ts'

const PATIENCE = { timeoutMs: 60_000 }

/** Waits for an open ticket of a task whose text has these words. */
export async function openTicket(connection: HostConnection, task: string, text: string): Promise<Ticket> {
  return until(
    `the task to ask for ${text}`,
    async () => {
      const { tickets } = await connection.call('ticket.list', { task, open: true })
      return tickets.find(({ ask }) => ask.text.includes(text))
    },
    PATIENCE,
  )
}

/** Waits until a ticket is no longer open and answers how it stands then. */
export async function settledTicket(connection: HostConnection, ticket: string): Promise<Ticket> {
  return until(
    'the ticket to be settled',
    async () => {
      const found = (await connection.call('ticket.get', { ticket })).ticket
      return found.state === 'delivered' || found.state === 'expired' ? found : undefined
    },
    PATIENCE,
  )
}

/** Waits until a task is in a state. */
export async function taskReaches(
  connection: HostConnection,
  task: string,
  state: CallOutput<'task.get'>['task']['state'],
): Promise<CallOutput<'task.get'>> {
  return until(
    `the task to be ${state}`,
    async () => {
      const found = await connection.call('task.get', { task })
      return found.task.state === state ? found : undefined
    },
    PATIENCE,
  )
}

/** Answers a ticket past the desk, as the person at a terminal would who was shown it. */
export async function answerElsewhere(
  connection: HostConnection,
  ticket: string,
  answer: Answer,
): Promise<CallOutput<'ticket.answer'>> {
  const shown = await connection.call('ticket.present', { ticket })
  return connection.call('ticket.answer', {
    requestId: requestId(),
    ticket,
    answer,
    typed: { nonce: shown.nonce, sha256: shown.sha256 },
  })
}

/** The events of a task of one type. */
export async function eventsOf(connection: HostConnection, task: string, type: string) {
  const { events } = await connection.call('task.events', { task, afterSeq: 0 })
  return events.filter((event) => event.type === type)
}
