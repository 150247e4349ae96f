import { shortId } from '../../shared/domain/task.ts'
import { printJson, type AddCommand, type Context } from '../context.ts'
import { callAgain } from '../hosts/retry.ts'
import { ticketRef } from '../output/words.ts'
import { refuseOwnTask } from '../person/own-task.ts'
import { newRequestId } from '../request-id.ts'
import { findTicket } from '../tasks/tickets.ts'

/** `handoff escalate`: hands a ticket to the person. */
export const addEscalate: AddCommand = (program, runner) => {
  program
    .command('escalate')
    .description('hand a ticket to the person')
    .argument('<ticket>')
    .requiredOption('--why <text>', 'the reason, told to the person')
    .addHelpText('after', '\nExample:\n  handoff escalate 3fa2:per_1 --why "touches the billing schema"')
    .action(runner.run(escalate))
}

async function escalate(context: Context, { why }: { why: string }, ref: string): Promise<void> {
  const { host, ticket, task } = await findTicket(context, ref)
  refuseOwnTask(context.env, task.id)
  const result = await callAgain({ ...context, host }, 'ticket.escalate', {
    requestId: newRequestId(),
    ticket: ticket.id,
    why,
  })
  const next = [`handoff wait ${shortId(task.id)}`]
  if (context.out.json) return printJson(context, 'escalate', { v: 1, host, ticket: result.ticket, next })
  await context.out.line(
    `${context.out.style.green('✓')} ${ticketRef(ticket)} now waits for the person\n  Next: ${next[0]}`,
  )
}
