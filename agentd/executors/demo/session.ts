import { setTimeout as delay } from 'node:timers/promises'
import { shortId } from '../../../shared/domain/task.ts'
import { AppError } from '../../../shared/errors.ts'
import type { DeliveryOutcome, ExecutorContext, ExecutorSession } from '../adapter.ts'
import type { Tmux } from '../tmux.ts'
import { createFactQueue } from './fact-queue.ts'
import { readJournal, readJsonLines } from './journal.ts'
import { createDemoPane, endMessage } from './launch.ts'
import { createDemoLink } from './link.ts'
import { demoFiles } from './protocol.ts'

const START_TIMEOUT_MS = 20_000
const START_POLL_MS = 25

/** The demo executor at work on one task. */
export function openDemoSession({
  tmux,
  context,
}: {
  tmux: Tmux
  context: ExecutorContext
}): ExecutorSession {
  const { task } = context
  const files = demoFiles(task.dir)
  const conversation = { session: `demo-${shortId(task.taskId)}` }
  const pane = createDemoPane({ tmux, task })
  const facts = createFactQueue({
    report: context.report,
    state: context.state,
    onFailure(error) {
      context.log({ error: String(error) }, 'a fact of the demo executor could not be kept; reading it again')
      link.restart()
    },
  })
  const link = createDemoLink({ path: files.socket, facts, pane, context, onDead: lost })

  /** Facts that the program wrote down and could not tell any more. */
  function readRest(): number {
    facts.drain()
    const rest = readJournal(files.journal, facts.reported())
    for (const numbered of rest) facts.push(numbered)
    facts.drain()
    return rest.length
  }

  async function lost(message: string): Promise<void> {
    readRest()
    const logTail = await pane.logTail()
    if (link.isOver()) return
    context.report({ type: 'lost', message, logTail })
    link.end()
  }

  async function startFailure(message: string): Promise<AppError> {
    return new AppError({
      code: 'executor_failed',
      message,
      hint: 'The end of its output is in the details.',
      details: { logTail: await pane.logTail() },
    })
  }

  async function untilConnected(): Promise<void> {
    const deadline = performance.now() + START_TIMEOUT_MS
    while (!(await link.tryConnect())) {
      const found = await pane.state()
      if (found === undefined || found.dead) throw await startFailure(endMessage(found))
      if (performance.now() > deadline) throw await startFailure('The demo executor did not come up in time.')
      await delay(START_POLL_MS)
    }
  }

  return {
    async start() {
      // agentd may have been killed between starting the program and writing that down.
      if (await link.tryConnect()) return conversation
      const found = await pane.state()
      // It may have been given its plan and died before it told anything.
      const hasWorked = readJsonLines(files.deliveries).length > 0
      if (hasWorked && (found === undefined || found.dead)) throw await startFailure(endMessage(found))
      if (found === undefined || found.dead) await pane.launch()
      await untilConnected()
      return conversation
    },
    async reattach() {
      if (await link.tryConnect()) return { kind: 'alive' }
      const found = await pane.state()
      if (found === undefined || found.dead) {
        readRest()
        link.end()
        return { kind: 'gone', message: endMessage(found), logTail: await pane.logTail() }
      }
      link.keepTrying()
      return { kind: 'alive' }
    },
    async deliver(delivery): Promise<DeliveryOutcome> {
      if (link.isOver()) return { kind: 'gone', reason: 'The demo executor is gone.' }
      const connection = link.connection()
      if (connection === undefined) return { kind: 'retry', message: 'The demo executor cannot be reached.' }
      return connection.deliver(delivery)
    },
    async abort() {
      if (link.isOver()) return
      const outcome = await link.connection()?.abort()
      if (outcome?.kind === 'delivered') return
      throw new AppError({
        code: 'connection_lost',
        message: 'The demo executor cannot be reached at the moment.',
        hint: 'Try again in a few seconds.',
      })
    },
    async reconcile() {
      const missing = readRest()
      const told = missing === 0 ? 'Nothing was missing.' : `${missing} facts were missing and are told now.`
      return `${told} ${link.connection() === undefined ? 'It cannot be reached at the moment.' : 'It is connected.'}`
    },
    async stop() {
      const connection = link.connection()
      link.end()
      await connection?.stop()
      connection?.close()
    },
    dispose() {
      const connection = link.connection()
      link.end()
      connection?.close()
      facts.dispose()
    },
  }
}
