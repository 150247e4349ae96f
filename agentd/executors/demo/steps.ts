import { setTimeout as delay } from 'node:timers/promises'
import type { Answer } from '../../../shared/domain/ticket.ts'
import type { ExecutorFact } from '../adapter.ts'
import { runDemoCommand } from './commands.ts'
import type { Step } from './plan.ts'
import type { DemoConfig } from './protocol.ts'
import type { Answered, Requests } from './requests.ts'
import type { Stage } from './stage.ts'
import { answerNote } from './story.ts'
import type { Work } from './work.ts'

/** How a turn goes on after a step. `end` carries the fact that ends it, `answer` what a question was answered with. */
export type StepResult =
  | { kind: 'next'; then?: Step[]; answer?: string }
  | { kind: 'end'; how: 'text' | 'failed'; text: string }
  | { kind: 'interrupted' }

/** What the screen says while a person or reviewer is waited for. */
export interface Waiting {
  title: string
  requests: { requestId: string; text: string }[]
  options: string[]
}

/** What the steps work with. */
export interface StepContext {
  config: DemoConfig
  scratch: string
  stage: Stage
  work: Work
  requests: Requests
  publish: (fact: ExecutorFact) => void
  nextKey: () => string
  waiting: (waiting: Waiting | undefined) => void
  /** Whether answers to questions are noted in the report of the default story. */
  noteAnswers: boolean
  /** Closes the program's socket for good. */
  hangUp: () => void
  signal: AbortSignal
}

const NEXT: StepResult = { kind: 'next' }

/** Carries out one step. */
export async function takeStep(step: Step, context: StepContext): Promise<StepResult> {
  const { stage, signal } = context
  switch (step.kind) {
    case 'section':
      stage.section(step.title)
      return NEXT
    case 'say':
      await stage.say(step.text, signal)
      return NEXT
    case 'write':
    case 'append':
      return putFile(step, context)
    case 'run':
      return runCommand(step.command, context)
    case 'permission':
      return askPermissions(step.commands, context)
    case 'edit':
      return askEdit(step, context)
    case 'question':
      return askQuestion(step, context)
    case 'commit':
      return commit(step.message ?? `Demo: ${context.config.title}`, context)
    case 'sleep':
      stage.working(`working for ${step.ms} ms`)
      await delay(step.ms, undefined, { signal }).catch(() => undefined)
      return NEXT
    default:
      return oddStep(step, context)
  }
}

type OddStep = Exclude<
  Step,
  {
    kind:
      'section' | 'say' | 'write' | 'append' | 'edit' | 'run' | 'permission' | 'question' | 'commit' | 'sleep'
  }
>

async function oddStep(step: OddStep, { stage, work, signal, hangUp }: StepContext): Promise<StepResult> {
  switch (step.kind) {
    case 'progress':
      for (let index = 1; index <= step.count; index += 1) stage.progress('text', `progress ${index}`)
      return NEXT
    case 'big-output':
      for (let index = 1; index <= 5_000; index += 1)
        stage.add({ mark: '  │ ', text: `line ${index} ${'.'.repeat(60)}`, style: 'dim' })
      stage.progress('tool', 'x'.repeat(8_000))
      return NEXT
    case 'setsid-child':
      stage.progress('tool', `left a child running: ${work.leaveChild() ?? 'failed'}`)
      return NEXT
    case 'hang-up':
      hangUp()
      return NEXT
    case 'hang':
      stage.working('thinking (the plan says: for ever)')
      await new Promise<void>((settle) => signal.addEventListener('abort', () => settle(), { once: true }))
      return { kind: 'interrupted' }
    case 'crash':
      process.stderr.write('\r\ndemo: the plan says that this program crashes now\r\n')
      return process.exit(3)
    case 'fail-turn':
      return { kind: 'end', how: 'failed', text: step.message }
    case 'ask':
      return { kind: 'end', how: 'text', text: `I need to know more.\n${JSON.stringify({ ask: step.text })}` }
    case 'no-trailer':
      return { kind: 'end', how: 'text', text: 'I have done what the plan asks for.' }
  }
}

async function putFile(
  step: { kind: 'write' | 'append'; path: string; text: string },
  context: StepContext,
): Promise<StepResult> {
  const { stage, work, signal } = context
  const problem = work.put({ path: step.path, text: step.text, how: step.kind })
  if (problem !== undefined) {
    stage.add({ mark: '  ✗ ', text: problem, style: 'red' })
    return NEXT
  }
  stage.progress('tool', `${step.kind} ${step.path}`)
  stage.add({ mark: '  ✎ ', text: step.path, style: 'cyan' })
  const lines = step.text.split('\n').filter((line) => line !== '')
  for (const line of lines.slice(0, 6)) stage.add({ mark: '    + ', text: line, style: 'green' })
  await stage.pause(300, signal)
  return NEXT
}

async function runCommand(command: string, context: StepContext): Promise<StepResult> {
  const { stage, signal, config, scratch } = context
  stage.progress('tool', command)
  stage.add({ mark: '  $ ', text: command, style: 'bold' })
  stage.working(`running ${command}`)
  const result = await runDemoCommand({ command, worktree: config.worktree, scratch, signal })
  if (result.output !== '') stage.output(result.output)
  if (result.kind === 'ran' && result.exitCode !== 0) stage.failed(command, result.exitCode)
  await stage.pause(400, signal)
  return NEXT
}

async function commit(message: string, { stage, work, signal }: StepContext): Promise<StepResult> {
  stage.add({ mark: '  $ ', text: `git commit -m ${JSON.stringify(message)}`, style: 'bold' })
  const made = await work.commit(message)
  stage.progress('tool', `git commit: ${made.kind}`)
  stage.output(made.output)
  await stage.pause(400, signal)
  if (made.kind === 'failed') return { kind: 'end', how: 'failed', text: `git commit failed: ${made.output}` }
  return NEXT
}

async function askPermissions(
  commands: { command: string; why?: string }[],
  context: StepContext,
): Promise<StepResult> {
  const asked = commands.map(({ command, why }) => {
    const ask = {
      action: 'command',
      text: command,
      ...(why === undefined ? {} : { description: why }),
    } as const
    return { command, ...askPermission(ask, context) }
  })
  const open = new Set(asked)
  const show = (): void => context.waiting(open.size === 0 ? undefined : permissionsWaiting([...open]))
  show()
  const results = await Promise.all(
    asked.map(async (one) => {
      const answered = await one.answered
      open.delete(one)
      show()
      return onDecision(one.command, answered, context)
    }),
  )
  // An answer that stops the turn drops the other requests; it is the one to tell.
  return results.find(({ kind }) => kind === 'end') ?? results.find(({ kind }) => kind !== 'next') ?? NEXT
}

function askPermission(ask: Extract<ExecutorFact, { type: 'permission' }>['ask'], context: StepContext) {
  const key = context.nextKey()
  const requestId = `p${key}`
  // Waiting begins before the fact is told: the answer may come at once.
  const answered = context.requests.open(requestId)
  context.publish({ type: 'permission', key, requestId, ask, cwd: context.config.worktree })
  return { requestId, answered }
}

function permissionsWaiting(open: { command: string; requestId: string }[]): Waiting {
  return {
    title:
      open.length > 1 ? `waiting for ${open.length} answers` : 'waiting for your answer: may I run this?',
    requests: open.map(({ command, requestId }) => ({ requestId, text: command })),
    options: [],
  }
}

async function onDecision(command: string, answered: Answered, context: StepContext): Promise<StepResult> {
  if (answered.kind === 'gone') return { kind: 'interrupted' }
  const { answer } = answered
  if (answer.kind !== 'deny') {
    context.stage.add({ mark: '  ✓ ', text: `approved: ${command}`, style: 'green' })
    return runCommand(command, context)
  }
  const said = quoted(answer.message)
  const result = await onDenial({ what: command, said, stop: answer.stop }, context)
  if (context.noteAnswers && result.kind === 'next')
    context.work.put({ ...denialNote(command, said), how: 'append' })
  return result
}

function quoted(message: string | undefined): string {
  return message === undefined || message === '' ? '' : ` "${message}"`
}

async function onDenial(
  { what, said, stop }: { what: string; said: string; stop: boolean },
  { stage, requests, signal }: StepContext,
): Promise<StepResult> {
  stage.add({ mark: '  ✗ ', text: `denied: ${what}${said}`, style: 'yellow' })
  if (stop) {
    requests.dropAll('The turn was stopped with another answer.')
    return { kind: 'end', how: 'failed', text: `Stopped: "${what}" was denied.${said}` }
  }
  await stage.say(
    said === '' ? 'Then I go on without it.' : `Understood:${said} I go on another way.`,
    signal,
  )
  return NEXT
}

async function askEdit(step: Step & { kind: 'edit' }, context: StepContext): Promise<StepResult> {
  const { path, text } = step
  const diff = context.work.diffOf(path, text)
  const { requestId, answered } = askPermission({ action: 'edit', text: path, diff }, context)
  context.waiting({
    title: 'waiting for your answer: may I edit this file?',
    requests: [{ requestId, text: path }],
    options: [],
  })
  const result = await answered
  context.waiting(undefined)
  if (result.kind === 'gone') return { kind: 'interrupted' }
  const { answer } = result
  if (answer.kind !== 'deny') return putFile({ kind: 'write', path, text }, context)
  const said = quoted(answer.message)
  return onDenial({ what: path, said, stop: answer.stop }, context)
}

function denialNote(command: string, said: string) {
  const reason = said === '' ? '' : ` The reviewer said:${said}`
  return { path: 'HANDOFF_DEMO.md', text: `\n- [ ] \`${command}\` was not run.${reason}\n` }
}

async function askQuestion(step: Step & { kind: 'question' }, context: StepContext): Promise<StepResult> {
  const key = context.nextKey()
  const requestId = `q${key}`
  const answered = context.requests.open(requestId)
  const options = step.options.map((label) => ({ label }))
  context.publish({
    type: 'question',
    key,
    requestId,
    ask: { text: step.text, topic: step.topic, options, multiple: false },
  })
  const title = step.topic === 'product' ? 'waiting for your decision' : 'waiting for your answer'
  context.waiting({ title, requests: [{ requestId, text: step.text }], options: step.options })
  const result = await answered
  context.waiting(undefined)
  if (result.kind === 'gone') return { kind: 'interrupted' }
  const text = wordsOf(result.answer)
  context.stage.add({ mark: '  ✓ ', text: `answer: ${text}`, style: 'green' })
  context.stage.progress('text', `answered: ${text}`)
  if (result.answer.kind === 'deny' && result.answer.stop) {
    return { kind: 'end', how: 'failed', text: 'Stopped: the question was not answered.' }
  }
  if (context.noteAnswers) return { kind: 'next', then: [answerNote(step.text, text)] }
  // Who leaves it to the agent gets what it offers first.
  const answer = result.answer.kind === 'deny' ? step.options[0] : text
  return answer === undefined ? NEXT : { kind: 'next', answer }
}

function wordsOf(answer: Answer): string {
  switch (answer.kind) {
    case 'options':
      return answer.labels.join(', ')
    case 'text':
    case 'continue':
      return answer.text
    case 'deny':
      return answer.message ?? 'no answer'
    default:
      return answer.kind
  }
}
