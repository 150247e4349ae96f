import { AppError } from '../../shared/errors.ts'
import type { Answer, RuleScope, Ticket } from '../../shared/domain/ticket.ts'
import { usageError } from '../context.ts'
import type { HostClient } from '../hosts/host-client.ts'
import { visibleLine } from '../../shared/domain/visible.ts'
import { ticketRef } from '../output/words.ts'

/** The options of `handoff reply` that say what to answer. */
export interface AnswerOptions {
  approve?: true
  remember?: string
  deny?: true
  message?: string
  stop?: true
  answer?: string
  option?: string[]
}

/** Throws usage when the options contradict one another. */
export function checkAnswerOptions(options: AnswerOptions): void {
  const chosen = [
    options.approve === true && '--approve',
    options.deny === true && '--deny',
    options.answer !== undefined && '--answer',
    options.option !== undefined && '--option',
  ].filter((name) => name !== false)
  if (chosen.length > 1) throw usageError(`${chosen.join(' and ')} are two answers.`, 'Give one of them.')
  if (options.remember !== undefined && options.approve !== true)
    throw usageError('--remember belongs to --approve.')
  if (options.remember !== undefined && !['task', 'repo'].includes(options.remember))
    throw usageError(`--remember wants task or repo, not “${options.remember}”.`)
  if ((options.message !== undefined || options.stop === true) && options.deny !== true)
    throw usageError('--message and --stop belong to --deny.')
  if (options.answer?.trim() === '') throw usageError('The answer is empty.')
}

/** The answer that the options stand for; undefined when there are none. Throws wrong_answer and rule_refused. */
export async function answerFromOptions(
  { client, ticket }: { client: HostClient; ticket: Ticket },
  options: AnswerOptions,
): Promise<Answer | undefined> {
  if (options.deny === true)
    return {
      kind: 'deny',
      stop: options.stop === true,
      ...(options.message === undefined ? {} : { message: options.message }),
    }
  if (options.approve === true) {
    if (ticket.ask.kind !== 'permission')
      throw wrong(ticket, 'is a question', '--answer TEXT or --option LABEL')
    if (options.remember === undefined) return { kind: 'approve' }
    return { kind: 'approve', remember: await ruleFor(client, ticket, options.remember as RuleScope) }
  }
  if (options.answer === undefined && options.option === undefined) return undefined
  if (ticket.ask.kind !== 'question') throw wrong(ticket, 'asks for a permission', '--approve or --deny')
  if (options.answer !== undefined) return { kind: 'text', text: options.answer }
  return { kind: 'options', labels: labelsOf(ticket, options.option ?? []) }
}

/** The rule that remembering would save; throws rule_refused when there can be none. */
export async function ruleFor(
  client: HostClient,
  ticket: Ticket,
  scope: RuleScope,
): Promise<{ scope: RuleScope; pattern: string }> {
  const { pattern, why } = await client.call('rule.preview', { ticket: ticket.id })
  if (pattern !== undefined) return { scope, pattern }
  throw new AppError({
    code: 'rule_refused',
    message: `No rule can be made of ${ticketRef(ticket)}: ${why ?? 'it is dangerous'}`,
    hint: 'Approve it once, without --remember.',
  })
}

function labelsOf({ ask }: Ticket, wanted: readonly string[]): string[] {
  if (ask.kind !== 'question') return [...wanted]
  const labels = wanted.map((text) => {
    const exact = ask.options.find((option) => option.label === text)
    const fits = ask.options.filter((option) => option.label.toLowerCase().startsWith(text.toLowerCase()))
    const byNumber = /^\d{1,2}$/.test(text) ? ask.options[Number(text) - 1] : undefined
    const found =
      exact ?? (fits.length === 1 ? fits[0] : undefined) ?? (fits.length === 0 ? byNumber : undefined)
    if (found !== undefined) return found.label
    const known = ask.options.map((option) => `“${visibleLine(option.label)}”`).join(', ')
    throw new AppError({
      code: 'wrong_answer',
      message: `“${text}” is not one of the options.`,
      hint:
        known === ''
          ? 'This question has no options: use --answer TEXT.'
          : `Options: ${known}. Or answer freely with --answer TEXT.`,
    })
  })
  if (labels.length > 1 && !ask.multiple) throw usageError('This question takes one option only.')
  return labels
}

function wrong(ticket: Ticket, what: string, use: string): AppError {
  return new AppError({ code: 'wrong_answer', message: `${ticketRef(ticket)} ${what}.`, hint: `Use ${use}.` })
}
