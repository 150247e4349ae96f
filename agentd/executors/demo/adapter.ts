import { mkdir, writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../../shared/errors.ts'
import type {
  Delivery,
  DeliveryOutcome,
  ExecutorAdapter,
  ExecutorContext,
  ExecutorSession,
} from '../adapter.ts'
import { paneCommand, programFile } from '../pane-command.ts'
import { writePaneSpec } from '../pane-spec.ts'
import type { PaneState, Tmux } from '../tmux.ts'
import { connectDemo, type DemoConnection } from './client.ts'
import { readJournal, readTail } from './journal.ts'
import { demoFiles, type DemoConfig, type NumberedFact } from './protocol.ts'

const WINDOW = 'agent'
const START_TIMEOUT_MS = 20_000
const RECONNECT_MIN_MS = 50
const RECONNECT_MAX_MS = 2_000
const BRIEF_MS = 1_000
/** A program that just died may still look alive to tmux for a moment; that is no reason to say `offline`. */
const PATIENCE_MS = 400
const TAIL_LINES = 60
const TAIL_MAX_BYTES = 8_000
/** Twenty of these run at once in a test. */
const NODE_FLAGS = [
  '--max-old-space-size=64',
  '--max-semi-space-size=1',
  '--disable-warning=ExperimentalWarning',
]

/** The demo executor as an ordinary adapter. `tmux` is the person's own tmux. */
export function createDemoAdapter({ tmux }: { tmux: Tmux }): ExecutorAdapter {
  return {
    name: 'demo',
    capabilities: { denyWithMessage: true, promptWhileBusy: true },
    async check() {
      try {
        const version = await tmux.version()
        return { available: true, version: '1', notes: [`scripted, without a model; tmux ${version}`] }
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        return {
          available: false,
          problem: error.message,
          notes: error.hint === undefined ? [] : [error.hint],
        }
      }
    },
    open: (context) => openSession({ tmux, context }),
  }
}

function openSession({ tmux, context }: { tmux: Tmux; context: ExecutorContext }): ExecutorSession {
  const { task, state } = context
  const files = demoFiles(task.dir)
  const session = `demo-${task.taskId.slice(0, 8)}`
  let reported = numberOf(state.get()['reported'])
  let saved = reported
  let connection: DemoConnection | undefined
  let offline = false
  let over = false
  let saving: NodeJS.Immediate | undefined
  let connectedAt = 0
  let waitMs = RECONNECT_MIN_MS

  function onFact({ n, fact }: NumberedFact): void {
    if (over || n <= reported) return
    context.report(fact)
    reported = n
    // One write for all facts that came together: a number that is lost only means that known facts are told again.
    saving ??= setImmediate(save)
  }

  function save(): void {
    saving = undefined
    if (saved === reported) return
    state.set({ ...state.get(), reported })
    saved = reported
  }

  async function tryConnect(): Promise<boolean> {
    if (over) return false
    const opened = await connectDemo({ path: files.socket, onFact, onClose: () => void onClose() })
    if (opened === undefined) return false
    if (over) {
      opened.close()
      return false
    }
    connection = opened
    connectedAt = Date.now()
    opened.facts(reported)
    if (offline) context.report({ type: 'online' })
    offline = false
    return true
  }

  async function onClose(): Promise<void> {
    connection = undefined
    // A connection that breaks at once (the store cannot take a fact, say) must not be tried without pause.
    if (Date.now() - connectedAt < BRIEF_MS) await pause()
    else waitMs = RECONNECT_MIN_MS
    await reconnect()
  }

  async function pause(): Promise<void> {
    await delay(waitMs, undefined, { ref: false })
    waitMs = Math.min(waitMs * 2, RECONNECT_MAX_MS)
  }

  async function reconnect(): Promise<void> {
    const since = Date.now()
    while (!over) {
      try {
        if ((await tryConnect()) || (await isOver(since))) return
      } catch (error) {
        context.log({ error: String(error) }, 'the demo executor cannot be looked after; trying again')
      }
      await pause()
    }
  }

  /** Reports what became of a program that does not answer: it is gone, or offline for the moment. */
  async function isOver(since: number): Promise<boolean> {
    const found = await pane()
    if (over) return true
    if (found === undefined || found.dead) {
      await lost(endMessage(found))
      return true
    }
    if (!offline && Date.now() - since > PATIENCE_MS) {
      context.report({ type: 'offline', message: 'The demo executor does not answer on its socket.' })
      offline = true
    }
    return false
  }

  async function pane(): Promise<PaneState | undefined> {
    const panes = await tmux.panes(task.tmuxSession)
    return panes?.find(({ window }) => window === WINDOW)
  }

  async function logTail(): Promise<string> {
    const found = await pane()
    const shown = found === undefined ? '' : await tmux.capture(found.id, TAIL_LINES)
    return (shown.trim() === '' ? readTail(files.transcript, TAIL_MAX_BYTES) : shown).slice(-TAIL_MAX_BYTES)
  }

  /** Facts that the program wrote and could no longer tell. */
  function readRest(): void {
    for (const numbered of readJournal(files.journal, reported)) onFact(numbered)
    save()
  }

  async function lost(message: string): Promise<void> {
    readRest()
    const tail = await logTail()
    if (over) return
    context.report({ type: 'lost', message, logTail: tail })
    over = true
  }

  async function launch(): Promise<void> {
    await mkdir(files.folder, { recursive: true, mode: 0o700 })
    const { taskId, title, worktree, branch, plan } = task
    const config: DemoConfig = { taskId, title, worktree, branch, plan, folder: files.folder }
    await writeFile(files.config, JSON.stringify(config), { mode: 0o600 })
    const program = programFile('demo-executor', 'demo/program')
    await writePaneSpec(files.paneSpec, {
      argv: [process.execPath, ...NODE_FLAGS, program, files.config],
      cwd: worktree,
      environment: task.environment,
    })
    await tmux.newSession({
      session: task.tmuxSession,
      window: WINDOW,
      cwd: worktree,
      argv: paneCommand(files.paneSpec),
      title,
    })
  }

  async function untilConnected(): Promise<void> {
    const deadline = Date.now() + START_TIMEOUT_MS
    for (;;) {
      if (await tryConnect()) return
      const found = await pane()
      if (found === undefined || found.dead) throw await startFailure(endMessage(found))
      if (Date.now() > deadline) throw await startFailure('The demo executor did not come up in time.')
      await delay(25)
    }
  }

  async function startFailure(message: string): Promise<AppError> {
    return new AppError({
      code: 'executor_failed',
      message,
      hint: 'Look at the end of its output in the details.',
      details: { logTail: await logTail() },
    })
  }

  return {
    async start() {
      // agentd may have been killed between making the session and writing that down.
      if (await tryConnect()) return { session }
      const found = await pane()
      if (found?.dead === true && readJournal(files.journal, 0).length > 0)
        throw await startFailure(endMessage(found))
      if (found === undefined || found.dead) {
        await tmux.killSession(task.tmuxSession)
        await launch()
      }
      await untilConnected()
      return { session }
    },
    async reattach() {
      if (await tryConnect()) return { kind: 'alive' }
      const found = await pane()
      if (found === undefined || found.dead) {
        readRest()
        over = true
        return { kind: 'gone', message: endMessage(found), logTail: await logTail() }
      }
      void reconnect()
      return { kind: 'alive' }
    },
    async deliver(delivery: Delivery): Promise<DeliveryOutcome> {
      if (over) return { kind: 'gone', reason: 'The demo executor is gone.' }
      if (connection === undefined) return { kind: 'retry', message: 'The demo executor cannot be reached.' }
      return connection.deliver(delivery)
    },
    async abort() {
      if (over) return
      const outcome = await connection?.abort()
      if (outcome?.kind === 'delivered') return
      throw new AppError({
        code: 'connection_lost',
        message: 'The demo executor cannot be reached at the moment.',
        hint: 'Try again in a few seconds.',
      })
    },
    async reconcile() {
      const before = reported
      readRest()
      const count = reported - before
      const reach = connection === undefined ? 'It cannot be reached at the moment.' : 'It is connected.'
      return `${count === 0 ? 'Nothing was missing.' : `${count} facts were missing and are told now.`} ${reach}`
    },
    async stop() {
      const open = connection
      over = true
      await open?.stop()
      open?.close()
    },
    dispose() {
      over = true
      if (saving !== undefined) clearImmediate(saving)
      connection?.close()
      connection = undefined
    },
  }
}

function endMessage(pane: PaneState | undefined): string {
  if (pane === undefined) return 'The tmux session of the demo executor is gone.'
  if (pane.signal !== undefined) return `The demo executor was ended by signal ${pane.signal}.`
  return `The demo executor ended with exit code ${pane.status ?? 'unknown'}.`
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : 0
}
