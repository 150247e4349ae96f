import { shortTicketId, type Answer } from '../../shared/domain/ticket.ts'
import type { Context } from '../context.ts'
import type { HostClient } from '../hosts/host-client.ts'
import { exactLines } from '../output/ticket-text.ts'
import { exactText, visibleLine, visibleText } from '../../shared/domain/visible.ts'
import { answerWords, ticketRef } from '../output/words.ts'
import { requirePerson } from '../person/person.ts'
import { typeWord } from '../person/typed-answer.ts'

/**
 * Shows a person the exact text of a ticket, has them type the decision, and returns the proof for `ticket.answer`.
 * Throws person_required where nobody can be typing, cancelled when they type something else.
 */
export async function presentToPerson(
  context: Context,
  {
    client,
    ticketId,
    taskTitle,
    answer,
  }: { client: HostClient; ticketId: string; taskTitle: string; answer: Answer },
): Promise<{ nonce: string; sha256: string }> {
  requirePerson(context.seat, {
    what: 'This ticket',
    otherwise: `Tell the person: on a terminal of their own they run \`handoff reply ${shortTicketId(ticketId)}\`.`,
  })
  const { ticket, text, nonce, sha256 } = await client.call('ticket.present', { ticket: ticketId })
  const { out } = context
  const { style } = out
  await out.line(
    `\n${style.bold('You decide this yourself')}  ${style.dim(`${ticketRef(ticket)} · ${visibleLine(taskTitle)}`)}`,
  )
  // The host's text is what is hashed and decided on; the marked form is used only where it is the same text.
  const marked =
    ticket.ask.kind === 'permission' && ticket.ask.text === text
      ? exactLines(ticket.ask, style)
      : exactText(text).split('\n')
  await out.line(marked.map((line) => `  ${style.dim('│')} ${line}`).join('\n'))
  if (ticket.ask.kind === 'permission' && ticket.ask.risk.sentence !== undefined)
    await out.line(style.red(`  ⚠ ${visibleLine(ticket.ask.risk.sentence)}`))
  if (ticket.escalation !== undefined)
    await out.line(style.yellow(`  Handed to you: ${visibleText(ticket.escalation.why)}`))
  await out.line(`  Your answer: ${style.bold(answerWords(answer))}\n`)
  await typeWord({
    ...context,
    word: answer.kind === 'approve' ? 'approve' : answer.kind === 'deny' ? 'deny' : 'answer',
  })
  return { nonce, sha256 }
}
