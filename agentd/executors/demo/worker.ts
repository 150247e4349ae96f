import { shortId } from '../../../shared/domain/task.ts'
import type { Delivery, DeliveryOutcome, ExecutorFact } from '../adapter.ts'
import { withAnswer } from './answer.ts'
import type { DeliveryLog, Journal } from './journal.ts'
import { readScript, type Step } from './plan.ts'
import type { DemoConfig } from './protocol.ts'
import { createRequests } from './requests.ts'
import type { Live, Screen } from './screen.ts'
import { createStage } from './stage.ts'
import { takeStep, type StepContext, type StepResult, type Waiting } from './steps.ts'
import { continueStory, instructionOf, planStory } from './story.ts'
import { createWork } from './work.ts'

interface Deps {
  config: DemoConfig
  scratch: string
  fast: boolean
  journal: Journal
  deliveries: DeliveryLog
  screen: Screen
  /** Writes a fact to the journal, then tells it. */
  publish: (fact: ExecutorFact) => void
  hangUp: () => void
}

interface Turn {
  steps: Step[]
  noteAnswers: boolean
}

/** The scripted agent: one turn at a time, each started by a prompt. */
export function createWorker(deps: Deps) {
  const { config, scratch, fast, journal, deliveries, screen, publish, hangUp } = deps
  const nextKey = () => String(journal.next())
  const stage = createStage({ screen, publish, nextKey })
  const work = createWork({ worktree: config.worktree })
  const requests = createRequests({
    onGone: (requestId, reason) => publish({ type: 'request_gone', key: nextKey(), requestId, reason }),
  })
  const prompts: string[] = []
  let turns = 0
  let turn: AbortController | undefined
  /** What a trailer's question interrupted. */
  let rest: Turn | undefined
  /** What the last question of a script was answered with. */
  let answer: string | undefined

  function planTurn(prompt: string): Turn {
    if (turns === 1) return firstTurn()
    if (rest !== undefined && rest.steps.length > 0) return rest
    const script = readScript(prompt)
    if (script.fast) stage.setFast(true)
    if (script.scripted) return { steps: script.steps, noteAnswers: false }
    return { steps: continueStory(instructionOf(prompt)), noteAnswers: true }
  }

  function firstTurn(): Turn {
    const script = readScript(config.plan)
    stage.setFast(fast || script.fast)
    stage.heading('The plan')
    for (const line of config.plan.trim().split('\n').slice(0, 30))
      stage.add({ mark: '  ', text: line, style: 'dim' })
    if (script.scripted) return { steps: script.steps, noteAnswers: false }
    work.makeScratch(scratch)
    return { steps: planStory({ title: config.title, plan: config.plan, scratch }), noteAnswers: true }
  }

  function contextOf(planned: Turn, signal: AbortSignal): StepContext {
    const waiting: StepContext['waiting'] = (now) => screen.show(waitingLive(config.taskId, now))
    return {
      ...{ config, scratch, stage, work, requests, publish, nextKey, waiting, hangUp, signal },
      noteAnswers: planned.noteAnswers,
    }
  }

  async function play(planned: Turn, signal: AbortSignal): Promise<StepResult> {
    const context = contextOf(planned, signal)
    const left = [...planned.steps]
    for (let step = left.shift(); step !== undefined; step = left.shift()) {
      if (signal.aborted) return { kind: 'interrupted' }
      stage.working(`working · ${left.length + 1} steps to go`)
      const result = await takeStep(planned.noteAnswers ? step : withAnswer(step, answer), context)
      if (result.kind === 'next') {
        left.unshift(...(result.then ?? []))
        answer = result.answer ?? answer
      } else {
        rest = step.kind === 'ask' ? { ...planned, steps: left } : undefined
        return result
      }
    }
    return signal.aborted ? { kind: 'interrupted' } : { kind: 'next' }
  }

  async function endTurn(result: StepResult): Promise<void> {
    const key = () => nextKey()
    if (result.kind === 'interrupted') {
      return publish({ type: 'turn_failed', key: key(), message: 'The turn was stopped.' })
    }
    if (result.kind === 'end' && result.how === 'failed') {
      return publish({ type: 'turn_failed', key: key(), message: result.text })
    }
    if (result.kind === 'end') return publish({ type: 'turn_ended', key: key(), text: result.text })
    const summary = `Carried out "${config.title}" (round ${turns}).`
    const trailer = JSON.stringify({ ...(await work.head()), summary })
    publish({ type: 'turn_ended', key: key(), text: `All steps are done.\n\n${trailer}` })
  }

  async function runTurns(): Promise<void> {
    for (let prompt = prompts.shift(); prompt !== undefined; prompt = prompts.shift()) {
      turns += 1
      turn = new AbortController()
      let result: StepResult
      try {
        const planned = planTurn(prompt)
        rest = undefined
        result = await play(planned, turn.signal)
      } catch (error) {
        result = { kind: 'end', how: 'failed', text: `The demo executor failed: ${String(error)}` }
      }
      await endTurn(result)
      showEnd(result)
    }
    turn = undefined
  }

  function showEnd(result: StepResult): void {
    const failed = result.kind === 'interrupted' || (result.kind === 'end' && result.how === 'failed')
    const text = result.kind === 'end' ? (result.text.split('\n')[0] ?? '') : failed ? 'stopped' : 'done'
    screen.add({ text: '', style: 'plain' })
    screen.add({ mark: failed ? '✗ ' : '✓ ', text, style: failed ? 'red' : 'green' })
    screen.show({
      kind: 'idle',
      text: `round ${turns} ended · review: handoff show ${shortId(config.taskId)}`,
    })
  }

  return {
    /** Takes a delivery once; it is written down before it has an effect. */
    deliver(delivery: Delivery): DeliveryOutcome {
      const { deliveryId, kind } = delivery
      if (deliveries.has(deliveryId)) return { kind: 'already' }
      if (delivery.kind === 'prompt') {
        deliveries.accept({ deliveryId, kind })
        prompts.push(delivery.text)
        if (turn === undefined) void runTurns()
        return { kind: 'delivered' }
      }
      const { requestId, answer } = delivery
      if (!requests.isWaiting(requestId)) return requests.answer(requestId, answer)
      deliveries.accept({ deliveryId, kind, requestId })
      return requests.answer(requestId, answer)
    },
    /** Ends the running turn; its open requests are gone. */
    abort(): void {
      turn?.abort()
      requests.dropAll('The turn was stopped.')
    },
    /** Whether a turn runs. */
    busy: () => turn !== undefined,
  }
}

function waitingLive(taskId: string, waiting: Waiting | undefined): Live {
  if (waiting === undefined) return { kind: 'working', text: 'working' }
  const { title, requests, options } = waiting
  const lines = requests.flatMap(({ requestId, text }) => {
    const reply = `handoff reply ${shortId(taskId)}:${requestId}`
    return [text, '', ...waysToReply(reply, requestId, options), '']
  })
  return { kind: 'waiting', title: `${title} (from another terminal)`, lines: lines.slice(0, -1) }
}

function waysToReply(reply: string, requestId: string, options: readonly string[]): string[] {
  if (requestId.startsWith('p')) return [`${reply} --approve`, `${reply} --deny --message 'why'`]
  if (options.length === 0) return [`${reply} --answer '…'`]
  return options.map((option) => `${reply} --option '${option.replace(/'/g, `'\\''`)}'`)
}
