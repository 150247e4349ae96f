import { AppError } from '../../shared/errors.ts'
import { shortId, type Task } from '../../shared/domain/task.ts'
import type { Ticket } from '../../shared/domain/ticket.ts'
import type { Context } from '../context.ts'
import type { HostClient } from '../hosts/host-client.ts'
import { pause } from '../hosts/retry.ts'
import { knownEvent, eventWords } from '../output/event-words.ts'
import { ticketRef } from '../output/words.ts'
import { newRequestId } from '../request-id.ts'
import { planTitle } from '../../shared/domain/plan-title.ts'
import { quoteArgument } from '../tasks/task-out.ts'
import { waitNext, type Woken } from '../tasks/wait-next.ts'
import type { Decider } from './deciders.ts'
import type { Narrator } from './narrator.ts'
import { CONTINUE_TEXT, demoPlan } from '../../shared/node/demo/plan.ts'
import { playReview } from './review.ts'
import type { Stage } from './stage.ts'

/** What the scenes of the demo share. */
export interface Play {
  context: Context
  stage: Stage
  client: HostClient
  narrator: Narrator
  decider: Decider
  task: Task
  id: string
  /** Permission requests so far. */
  permissions: number
  rememberedPattern: string | undefined
}

const STEP_TIMEOUT_MS = 120_000
const MAX_EVENTS = 60

/** Plays the loop from the plan to the accepted result; throws when something does not happen as it should. */
export async function play({
  context,
  stage,
  narrator,
  decider,
  executor,
  auto,
}: {
  context: Context
  stage: Stage
  narrator: Narrator
  decider: Decider
  executor: string
  auto: boolean
}): Promise<void> {
  const client = await context.fleet.open('local')
  const task = await dispatch({ context, stage, narrator, client, executor, auto })
  const scene: Play = {
    context,
    stage,
    client,
    narrator,
    decider,
    task,
    id: shortId(task.id),
    permissions: 0,
    rememberedPattern: undefined,
  }
  await narrator.explain(
    'Wait',
    'A reviewer waits in the background and is woken by one line of JSON. Here the demo waits and shows what comes.',
    `handoff wait ${scene.id}`,
  )
  for (let count = 0; count < MAX_EVENTS; count += 1) {
    const woken = await nextEvent(scene, auto)
    if (count === 0)
      await narrator.seen(
        'wait',
        { event: woken.answer.event.type, seq: woken.answer.event.seq },
        `handoff wait ${scene.id}`,
      )
    if (await react(scene, woken)) return
  }
  throw new AppError({ code: 'timeout', message: 'The demo did not come to an end.' })
}

async function dispatch({
  context,
  stage,
  narrator,
  client,
  executor,
  auto,
}: {
  context: Context
  stage: Stage
  narrator: Narrator
  client: HostClient
  executor: string
  auto: boolean
}): Promise<Task> {
  const plan = demoPlan({ outside: stage.outside, pace: auto ? 'fast' : 'watch' })
  const command = `handoff dispatch plan.md --executor ${executor}`
  await narrator.explain(
    'Hand over a plan',
    `A small git repository was made in ${stage.repo}. The plan: make its greeting take a name, and prove it with a test. The executor works in a worktree of its own, on a branch of its own.`,
    command,
  )
  const { task } = await client.call('task.dispatch', {
    requestId: newRequestId(),
    title: planTitle(plan),
    plan,
    executor,
    repo: { kind: 'path', path: stage.repo },
  })
  context.dispatched.save({ taskId: task.id, host: 'local', repoPath: stage.repo })
  await stage.git('rev-parse', '--verify', '--quiet', task.base)
  await narrator.seen('dispatch', { task: shortId(task.id), branch: task.branch }, command)
  return task
}

async function nextEvent(scene: Play, auto: boolean): Promise<Woken> {
  const { context } = scene
  const limits = auto ? [context.signal, AbortSignal.timeout(STEP_TIMEOUT_MS)] : [context.signal]
  // Without a terminal the story has lines enough.
  const progress = context.out.errorIsTerminal ? context.out.progress('The executor works') : undefined
  const woken = await waitNext({
    fleet: context.fleet,
    groups: [{ host: 'local', taskIds: [scene.task.id] }],
    consumer: context.clientId,
    until: 'wake',
    signal: AbortSignal.any(limits),
    onTrouble: () => undefined,
  })
    .catch((error: unknown) => {
      if (context.signal.aborted || !(error instanceof AppError) || error.code !== 'cancelled') throw error
      throw new AppError({
        code: 'timeout',
        message: `Nothing happened for ${STEP_TIMEOUT_MS / 1_000} seconds.`,
      })
    })
    .finally(() => progress?.stop())
  const { event } = woken.answer
  await woken.client.call('events.ack', { consumer: context.clientId, seq: event.seq, taskId: event.taskId })
  return woken
}

/** Answers one event; true when the task is over. */
async function react(scene: Play, { answer: { event: wire, audience } }: Woken): Promise<boolean> {
  const event = knownEvent(wire)
  switch (event?.type) {
    case 'permission_request':
    case 'question': {
      const { ticket, task } = await scene.client.call('ticket.get', { ticket: event.body.ticketId })
      const found = { host: 'local', client: scene.client, ticket, task }
      if ((audience ?? event.body.audience) === 'user') await dangerous(scene, found)
      else await routine(scene, found)
      return false
    }
    case 'completed':
      return playReview(scene, event.body, CONTINUE_TEXT)
    case 'done':
    case 'cancelled':
      return true
    default:
      throw new AppError({
        code: 'executor_failed',
        message: `The task did not go as it should: ${eventWords(wire)}`,
        hint: 'Play it again with --keep and look at the logs.',
      })
  }
}

interface Found {
  host: string
  client: HostClient
  ticket: Ticket
  task: Task
}

async function routine(scene: Play, found: Found): Promise<void> {
  const { narrator, decider, client } = scene
  const { ticket } = found
  const isQuestion = ticket.ask.kind === 'question'
  if (!isQuestion) scene.permissions += 1
  const ref = quoteArgument(ticketRef(ticket))
  const flag = scene.permissions === 2 ? '--approve --remember task' : '--approve'
  const command = `handoff reply ${ref} ${isQuestion ? exampleAnswer(ticket) : flag}`
  await narrator.explain(
    isQuestion
      ? 'Answer a question'
      : scene.permissions === 2
        ? 'Approve, and remember it'
        : 'Approve something routine',
    isQuestion
      ? `The executor asks: “${ticket.ask.text}”`
      : `It wants to run: ${ticket.ask.text}\n${scene.permissions === 2 ? 'The same command again: this time a rule can be saved, and it is not asked any more.' : 'The risk check calls this routine, so the reviewer may decide.'}`,
    command,
  )
  const answer = await decider.answer(found, scene.permissions)
  const outcome = await client.call('ticket.answer', { requestId: newRequestId(), ticket: ticket.id, answer })
  if (outcome.kind !== 'applied')
    throw new AppError({ code: 'already_answered', message: `The answer to ${ref} was ${outcome.kind}.` })
  await delivered(scene, ticket.id)
  if (isQuestion) return narrator.seen('question', { answer: answer.kind }, command)
  if (answer.kind === 'approve' && answer.remember !== undefined) {
    const { rules } = await client.call('rule.list', { task: scene.task.id })
    const rule = rules.find((one) => one.pattern === answer.remember?.pattern)
    if (rule === undefined) throw new AppError({ code: 'rule_not_found', message: 'The rule was not saved.' })
    scene.rememberedPattern = rule.pattern
    return narrator.seen('permission_remember', { rule: rule.pattern }, command)
  }
  await narrator.seen(
    'permission_once',
    { command: ticket.ask.text.slice(0, 60), state: 'delivered' },
    command,
  )
}

function exampleAnswer({ ask }: Ticket): string {
  const [first] = ask.kind === 'question' ? ask.options : []
  return first === undefined ? "--answer 'text'" : `--option ${quoteArgument(first.label)}`
}

async function dangerous(scene: Play, found: Found): Promise<void> {
  const { narrator, client, decider } = scene
  const { ticket } = found
  await noteRule(scene)
  const ref = quoteArgument(ticketRef(ticket))
  const sentence = ticket.ask.kind === 'permission' ? (ticket.ask.risk.sentence ?? '') : ''
  await narrator.explain(
    'Something dangerous',
    `It wants to run: ${ticket.ask.text}\n${sentence}\nA reviewer (an agent) cannot approve this; first the demo tries it as one.`,
    `handoff reply ${ref} --approve`,
  )
  const refusal = await client
    .call('ticket.answer', { requestId: newRequestId(), ticket: ticket.id, answer: { kind: 'approve' } })
    .then(
      () => undefined,
      (error: unknown) => (error instanceof AppError ? error.code : undefined),
    )
  if (refusal !== 'user_only' && refusal !== 'person_required')
    throw new AppError({ code: 'internal', message: 'The reviewer was not refused.' })
  await narrator.seen('dangerous_refused', { code: refusal }, `handoff reply ${ref} --approve`)
  await narrator.explain(
    'The person decides',
    scene.context.interactive
      ? 'You are the person: the exact text is shown and you type the decision.'
      : 'With --auto the demo answers with a user token that it makes for this throw-away home only.',
    `handoff reply ${ref}`,
  )
  await decider.answerAsPerson(found)
  await delivered(scene, ticket.id)
  await narrator.seen('dangerous_person', { state: 'delivered' }, `handoff reply ${ref}`)
}

/** The third run of the same command was not asked: the rule answered it. */
async function noteRule(scene: Play): Promise<void> {
  if (scene.rememberedPattern === undefined) return
  const { tickets } = await scene.client.call('ticket.list', { task: scene.task.id, open: false })
  const byRule = tickets.find((ticket) => ticket.answeredBy?.kind === 'rule')
  const { rules } = await scene.client.call('rule.list', { task: scene.task.id })
  const hits = rules.find((rule) => rule.pattern === scene.rememberedPattern)?.hits ?? 0
  if (byRule === undefined && hits === 0) return
  await scene.narrator.seen('rule_applied', { rule: scene.rememberedPattern, hits }, 'handoff rules')
  scene.rememberedPattern = undefined
}

const DELIVERY_TIMEOUT_MS = 30_000

async function delivered({ client, context }: Play, ticketId: string): Promise<void> {
  const deadline = Date.now() + DELIVERY_TIMEOUT_MS
  for (;;) {
    const { ticket } = await client.call('ticket.get', { ticket: ticketId })
    if (ticket.state === 'delivered') return
    if (Date.now() > deadline)
      throw new AppError({
        code: 'timeout',
        message: `The answer to ${ticketRef(ticket)} was not delivered (${ticket.state}).`,
      })
    await pause(50, context.signal)
  }
}
