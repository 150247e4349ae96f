import type { Answer } from '../../shared/domain/ticket.ts'
import type { Context } from '../context.ts'
import { ticketText } from '../output/ticket-text.ts'
import { visibleLine } from '../../shared/domain/visible.ts'
import { askText, chooseOne, chooseSeveral } from '../person/prompts.ts'
import type { FoundTicket } from './tickets.ts'

/** Shows a ticket and lets the person at the terminal choose an answer. */
export async function askAnswer(context: Context, found: FoundTicket): Promise<Answer> {
  const { out } = context
  await out.line(`${out.style.dim(visibleLine(found.task.title))}\n${ticketText(found.ticket, out)}\n`)
  return found.ticket.ask.kind === 'question' ? askQuestion(context, found) : askPermission(context, found)
}

async function askQuestion(context: Context, { ticket }: FoundTicket): Promise<Answer> {
  if (ticket.ask.kind !== 'question') return { kind: 'done' }
  const OWN = ''
  if (ticket.ask.multiple && ticket.ask.options.length > 0) return askSeveral(context, ticket.ask.options)
  const choices = [
    ...ticket.ask.options.map((option) => ({
      name: visibleLine(option.label),
      value: option.label,
      ...(option.description === undefined ? {} : { description: visibleLine(option.description) }),
    })),
    { name: 'Write an answer …', value: OWN },
  ]
  const chosen = choices.length === 1 ? OWN : await chooseOne(context, 'Answer', choices)
  if (chosen !== OWN) return { kind: 'options', labels: [chosen] }
  return { kind: 'text', text: await askText(context, 'Your answer') }
}

/** Several may be chosen; none chosen means an answer in words. */
async function askSeveral(context: Context, options: readonly { label: string }[]): Promise<Answer> {
  const labels = await chooseSeveral(
    context,
    'Answer (none to write one)',
    options.map(({ label }) => ({ name: visibleLine(label), value: label })),
  )
  if (labels.length > 0) return { kind: 'options', labels }
  return { kind: 'text', text: await askText(context, 'Your answer') }
}

async function askPermission(context: Context, { client, ticket, task }: FoundTicket): Promise<Answer> {
  // No rule is offered where none can be made: a dangerous request is decided one by one.
  const { pattern } = await client.call('rule.preview', { ticket: ticket.id })
  const rules =
    pattern === undefined
      ? []
      : [
          {
            name: `Approve, and ${visibleLine(pattern)} from now on in this task`,
            value: { kind: 'approve', remember: { scope: 'task', pattern } } as const,
          },
          {
            name: `Approve, and ${visibleLine(pattern)} from now on in ${visibleLine(task.repo.name)}`,
            value: { kind: 'approve', remember: { scope: 'repo', pattern } } as const,
          },
        ]
  const chosen = await chooseOne<Answer>(context, 'Decide', [
    { name: 'Approve once', value: { kind: 'approve' } },
    ...rules,
    { name: 'Deny, and say why', value: { kind: 'deny', stop: false } },
    { name: 'Deny, and stop the agent’s turn', value: { kind: 'deny', stop: true } },
  ])
  if (chosen.kind === 'deny' && !chosen.stop)
    return { ...chosen, message: await askText(context, 'What should it do instead?') }
  return chosen
}
