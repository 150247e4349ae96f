import type { Ticket } from '../../shared/domain/ticket.ts'
import type { SomeHandlers } from '../server/call-context.ts'
import type { Store } from '../store/store.ts'
import { asPerson } from '../tasks/answers.ts'
import { decidedText } from '../tasks/audit.ts'
import type { Engine } from '../tasks/engine.ts'
import { resolveTask, resolveTicket } from '../tasks/resolve.ts'
import { previewRule } from '../tasks/rules.ts'
import type { Once } from './once.ts'

type TicketCalls =
  'ticket.list' | 'ticket.get' | 'ticket.present' | 'ticket.answer' | 'ticket.escalate' | 'rule.preview'

/** Calls about tickets: what waits for an answer, and the answers. */
export function createTicketHandlers({
  store,
  engine,
  once,
}: {
  store: Store
  engine: Engine
  once: Once
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
    'ticket.answer': ({ ticket: ref, answer, requestId, typed }, context) => {
      const ticket = resolveTicket(store, ref)
      if (typed) engine.presentation.redeem(ticket.id, typed)
      const actor = typed ? asPerson(context.actor) : context.actor
      return engine.transaction(() =>
        once.sync(context, requestId, () => engine.answers.answer(ticket, answer, actor)),
      )
    },
    'ticket.escalate': ({ ticket: ref, why, requestId }, context) =>
      engine.transaction(() =>
        once.sync(context, requestId, () =>
          engine.answers.escalate(resolveTicket(store, ref), why, context.actor),
        ),
      ),
    'rule.preview': ({ ticket: ref }) => {
      const { ticket, task } = withTask(resolveTicket(store, ref))
      return previewRule(engine.judge, task, ticket)
    },
  }
}
