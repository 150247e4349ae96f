import { AppError } from '../../shared/errors.ts'
import { shortId } from '../../shared/domain/task.ts'
import type { Answer } from '../../shared/domain/ticket.ts'
import type { CallOutput } from '../../shared/protocol.ts'
import { printJson, usageError, type AddCommand, type Context } from '../context.ts'
import { callAgain } from '../hosts/retry.ts'
import { ago } from '../output/time.ts'
import { visibleLine } from '../../shared/domain/visible.ts'
import { actorWords, answerWords, ticketRef } from '../output/words.ts'
import { refuseOwnTask } from '../person/own-task.ts'
import { askYes } from '../person/prompts.ts'
import { newRequestId } from '../request-id.ts'
import { answerFromOptions, checkAnswerOptions, type AnswerOptions } from '../tasks/answer-options.ts'
import { askAnswer } from '../tasks/ask-answer.ts'
import { readAll } from '../tasks/plan.ts'
import { presentToPerson } from '../tasks/present.ts'
import { findTicket, type FoundTicket } from '../tasks/tickets.ts'

/** `handoff reply`: answers a permission request or a question. */
export const addReply: AddCommand = (program, runner) => {
  program
    .command('reply')
    .description('answer a permission request or a question')
    .argument('<ticket>', 'its id or a beginning: 3fa2:per_1; the task alone when only one waits')
    .option('--approve', 'allow it once')
    .option('--remember <scope>', 'with --approve: from now on for this `task` or `repo`')
    .option('--deny', 'refuse it; the agent goes on')
    .option('--message <text>', 'with --deny: told to the agent')
    .option('--stop', 'with --deny: the agent’s turn ends')
    .option('--answer <text>', 'answer a question (- reads the input)')
    .option(
      '--option <label>',
      'choose an option of a question (again for several)',
      (label: string, before?: string[]) => [...(before ?? []), label],
    )
    .option('-y, --yes', 'do not ask before a rule is saved')
    .addHelpText(
      'after',
      '\nExamples:\n  handoff reply 3fa2:per_1 --approve --remember task\n  handoff reply 3fa2:per_2 --deny --message "use pnpm"\n  handoff reply 3fa2            shows what waits and lets you choose',
    )
    .action(runner.run(reply))
}

async function reply(
  context: Context,
  options: AnswerOptions & { yes?: true },
  ref: string,
): Promise<number | void> {
  checkAnswerOptions(options)
  const text = options.answer === '-' ? (await readAll(context.input, 100_000)).trim() : options.answer
  const found = await findTicket(context, ref)
  refuseOwnTask(context.env, found.task.id)
  const settled = settledOutcome(found)
  if (settled !== undefined) return report(context, found, { outcome: settled })
  refuseReview(found)
  let answer = await answerFromOptions(found, { ...options, ...(text === undefined ? {} : { answer: text }) })
  if (answer === undefined) {
    if (!context.interactive || !context.out.isTerminal)
      throw usageError(
        'Say what to answer.',
        'One of --approve, --deny, --answer TEXT or --option LABEL; on a terminal you are asked.',
      )
    answer = await askAnswer(context, found)
  }
  if (answer.kind === 'approve' && answer.remember !== undefined && options.remember !== undefined)
    await confirmRule(context, found, { answer, yes: options.yes === true })
  const outcome = await send(context, found, answer)
  return report(context, found, { outcome, answer })
}

function settledOutcome({ ticket }: FoundTicket): CallOutput<'ticket.answer'> | undefined {
  if (ticket.state === 'expired') return { kind: 'expired', ticket }
  if (ticket.answer !== undefined) return { kind: 'already_answered', ticket }
  return undefined
}

function refuseReview({ ticket, task }: FoundTicket): void {
  if (ticket.ask.kind !== 'review') return
  const id = shortId(task.id)
  throw new AppError({
    code: 'wrong_answer',
    message: `${ticketRef(ticket)} is a finished round; it is not answered with reply.`,
    hint: `Send it back: handoff continue ${id} 'what to change'. Accept it: handoff done ${id}.`,
  })
}

/** Shows the exact rule before it is saved. */
async function confirmRule(
  context: Context,
  { task }: FoundTicket,
  { answer, yes }: { answer: Extract<Answer, { kind: 'approve' }>; yes: boolean },
): Promise<void> {
  const { remember } = answer
  if (remember === undefined) return
  const where =
    remember.scope === 'repo' ? `every task in the repository ${task.repo.name}` : `task ${shortId(task.id)}`
  context.out.note(
    `From now on allowed in ${visibleLine(where)}, unless it is dangerous:\n  ${context.out.errorStyle.bold(visibleLine(remember.pattern))}\n`,
  )
  if (
    context.interactive &&
    !yes &&
    !(await askYes(context, 'Approve this request and save the rule?', { usually: true }))
  )
    throw new AppError({ code: 'cancelled', message: 'Nothing was answered and no rule was saved.' })
}

async function send(
  context: Context,
  found: FoundTicket,
  answer: Answer,
): Promise<CallOutput<'ticket.answer'>> {
  const { ticket, host, client } = found
  const request = { requestId: newRequestId(), ticket: ticket.id, answer }
  if (ticket.audience !== 'user') {
    try {
      return await callAgain({ ...context, host }, 'ticket.answer', request)
    } catch (error) {
      // It was handed to the person between our look and our answer.
      if (!(error instanceof AppError) || (error.code !== 'user_only' && error.code !== 'person_required'))
        throw error
    }
  }
  const typed = await presentToPerson(context, {
    client,
    ticketId: ticket.id,
    taskTitle: found.task.title,
    answer,
  })
  return callAgain({ ...context, host }, 'ticket.answer', { ...request, typed })
}

async function report(
  context: Context,
  { host, task }: FoundTicket,
  { outcome, answer }: { outcome: CallOutput<'ticket.answer'>; answer?: Answer },
): Promise<number | void> {
  const { out, now } = context
  const next = [`handoff wait ${shortId(task.id)}`]
  const { ticket } = outcome
  const rule = answer?.kind === 'approve' && outcome.kind === 'applied' ? answer.remember : undefined
  if (out.json)
    await printJson(context, 'reply', {
      v: 1,
      host,
      outcome: outcome.kind,
      ticket,
      ...(rule === undefined ? {} : { rule }),
      next,
    })
  switch (outcome.kind) {
    case 'applied':
      if (!out.json)
        await out.line(
          `${out.style.green('✓')} ${ticketRef(ticket)} ${answeredWords(ticket.answer)}\n  Next: ${next[0]}`,
        )
      return
    case 'already_answered': {
      const what = ticket.answer === undefined ? 'answered' : answerWords(ticket.answer)
      const who = ticket.answeredBy === undefined ? '' : ` by ${actorWords(ticket.answeredBy)}`
      const when = ticket.answeredAt === undefined ? '' : `, ${ago(ticket.answeredAt, now())}`
      throw new AppError({
        code: 'already_answered',
        message: `${ticketRef(ticket)} was answered before${who}${when}: ${what}.`,
        hint: `Your answer changed nothing. See what is next: handoff show ${shortId(task.id)}`,
      })
    }
    case 'expired':
      throw new AppError({
        code: 'ticket_expired',
        message: `${ticketRef(ticket)} has expired: ${ticket.closedReason ?? 'the agent no longer waits for it'}`,
        hint: `See what is next: handoff show ${shortId(task.id)}`,
      })
  }
}

/** A bare text or label says by itself too little of what happened. */
function answeredWords(answer: Answer | undefined): string {
  if (answer === undefined) return 'answered'
  return answer.kind === 'text' || answer.kind === 'options'
    ? `answered: ${answerWords(answer)}`
    : answerWords(answer)
}
