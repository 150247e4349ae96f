import type { Ticket } from '../../shared/domain/ticket.ts'
import { decidedText } from '../../shared/domain/deciding.ts'
import type { SomeHandlers } from '../server/call-context.ts'
import type { Store } from '../store/store.ts'
import { asPerson } from '../tasks/answers.ts'
import type { Engine } from '../tasks/engine.ts'
import { resolveTask, resolveTicket } from '../tasks/resolve.ts'
import { previewRule } from '../tasks/rules.ts'
import { requireSeen } from '../tasks/seen.ts'

type TicketCalls =
  'ticket.list' | 'ticket.get' | 'ticket.present' | 'ticket.answer' | 'ticket.escalate' | 'rule.preview'

/** Calls about tickets: what waits for an answer, and the answers. */
export function createTicketHandlers({
  store,
  engine,
}: {
  store: Store
  engine: Engine
}): SomeHandlers<TicketCalls> {
  const withTask = (ticket: Ticket) => {
    const task = store.tasks.get(ticket.taskId)
    if (!task) throw new Error(`ticket ${ticket.id} has no task`)
    return { ticket, task }
  }

  return {
    'ticket.list': ({ task, open, limit }) => ({
      tickets: store.tickets.list({
        open,
        limit,
        ...(task === undefined ? {} : { taskId: resolveTask(store, task).id }),
      }),
    }),
    'ticket.get': ({ ticket }) => withTask(resolveTicket(store, ticket)),
    'ticket.present': ({ ticket: ref }) => {
      const ticket = resolveTicket(store, ref)
      return { ticket, ...engine.presentation.present(ticket.id, decidedText(ticket.ask)) }
    },
    'ticket.answer': (input, context) =>
      engine.transaction(() =>
        // What was answered before comes first: the proof is used up, and the beginning of an id may mean another by now.
        engine.once.sync(context, { call: 'ticket.answer', input }, () => {
          const ticket = resolveTicket(store, input.ticket)
          requireSeen(ticket, input.seen)
          if (input.typed) engine.presentation.redeem(ticket.id, input.typed)
          const actor = input.typed ? asPerson(context.actor) : context.actor
          return engine.answers.answer(ticket, input.answer, actor)
        }),
      ),
    'ticket.escalate': (input, context) =>
      engine.transaction(() =>
        engine.once.sync(context, { call: 'ticket.escalate', input }, () =>
          engine.answers.escalate(resolveTicket(store, input.ticket), input.why, context.actor),
        ),
      ),
    'rule.preview': ({ ticket: ref }) => {
      const { ticket, task } = withTask(resolveTicket(store, ref))
      return previewRule(engine.judge, task, ticket)
    },
  }
}
