import { AppError } from '../../shared/errors.ts'
import type { Answer } from '../../shared/domain/ticket.ts'
import type { Context } from '../context.ts'
import { askAnswer } from '../tasks/ask-answer.ts'
import { presentToPerson } from '../tasks/present.ts'
import { ruleFor } from '../tasks/answer-options.ts'
import type { FoundTicket } from '../tasks/tickets.ts'
import { chooseOne } from '../person/prompts.ts'
import { leftOpen } from '../person/typed-answer.ts'
import { newRequestId } from '../request-id.ts'
import type { HostClient } from '../hosts/host-client.ts'

/** Who decides in the demo: the person at the terminal, or the demo itself. */
export interface Decider {
  /** Answers a routine ticket as the reviewer. `nth` counts the permission requests, from 1. */
  answer(found: FoundTicket, nth: number): Promise<Answer>
  /** Answers a ticket of the person, in a way that agentd accepts as theirs. */
  answerAsPerson(found: FoundTicket): Promise<void>
  afterReview(round: number): Promise<'continue' | 'done'>
}

/** Asks the person at the terminal. */
export function createAskingDecider(context: Context): Decider {
  return {
    async answer(found) {
      await context.out.line()
      return askAnswer(context, found)
    },
    async answerAsPerson(found) {
      const { client, ticket, task } = found
      for (;;) {
        await context.out.line()
        const answer = await askAnswer(context, found)
        const shown = { client, ticketId: ticket.id, taskTitle: task.title, answer }
        const typed = await presentToPerson(context, shown).catch((error: unknown) => {
          // A slip leaves the question open, as everywhere; the demo goes on from there and asks again.
          if (leftOpen(error)) return undefined
          throw error
        })
        if (typed === undefined) context.out.note('Nothing was decided. Once more:')
        else {
          await client.call('ticket.answer', { requestId: newRequestId(), ticket: ticket.id, answer, typed })
          return
        }
      }
    },
    async afterReview(round) {
      await context.out.line()
      return chooseOne(context, round === 1 ? 'What now?' : 'And now?', [
        { name: 'Send it back with something to change', value: 'continue' as const },
        { name: 'Accept it', value: 'done' as const },
      ])
    },
  }
}

/** Answers by itself; the person's part with a user token that was made for this demo's home alone. */
export function createAutoDecider(context: Context): Decider {
  return {
    async answer({ client, ticket }, nth) {
      if (ticket.ask.kind === 'question') {
        const [first] = ticket.ask.options
        return first === undefined
          ? { kind: 'text', text: 'As you like.' }
          : { kind: 'options', labels: [first.label] }
      }
      if (nth === 2) return { kind: 'approve', remember: await ruleFor(client, ticket, 'task') }
      return { kind: 'approve' }
    },
    async answerAsPerson({ client, ticket }) {
      const person = await connectAsPerson(context, client)
      try {
        await person.call('ticket.answer', {
          requestId: newRequestId(),
          ticket: ticket.id,
          answer: { kind: 'approve' },
        })
      } finally {
        await person.close()
      }
    },
    afterReview: (round) => Promise.resolve(round === 1 ? 'continue' : 'done'),
  }
}

async function connectAsPerson({ connector }: Context, client: HostClient): Promise<HostClient> {
  const wish = { role: 'user' as const, name: 'demo --auto' }
  const { nonce, sha256 } = await client.call('token.present', wish)
  const { token } = await client.call('token.create', { ...wish, typed: { nonce, sha256 } })
  const person = await connector.open('local', { token, clientId: 'demo-person' })
  if (person.welcome.role === 'user') return person
  await person.close()
  throw new AppError({ code: 'internal', message: 'The user token did not give the role user.' })
}
