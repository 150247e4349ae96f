import { setTimeout as delay } from 'node:timers/promises'
import type { ExecutorContext } from '../adapter.ts'
import type { PaneState } from '../tmux.ts'
import { connectDemo, type DemoConnection } from './client.ts'
import type { createFactQueue } from './fact-queue.ts'
import { endMessage } from './launch.ts'

interface Deps {
  path: string
  facts: ReturnType<typeof createFactQueue>
  pane: { state(): Promise<PaneState | undefined> }
  context: Pick<ExecutorContext, 'report' | 'log'>
  /** The program does not live any more. May throw; it is then called again. */
  onDead: (message: string) => Promise<void>
}

const RETRY_MIN_MS = 50
const RETRY_MAX_MS = 2_000
/** A connection that breaks sooner must not be tried again without a pause. */
const BRIEF_MS = 1_000
/** A program that just died may still look alive to tmux for a moment; that is no reason to say `offline`. */
const PATIENCE_MS = 400

/** Keeps a connection to the program as long as its pane lives; says when it is lost and back. */
export function createDemoLink({ path, facts, pane, context, onDead }: Deps) {
  let connection: DemoConnection | undefined
  let connectedAtMs = 0
  let waitMs = RETRY_MIN_MS
  let offline = false
  let over = false

  async function tryConnect(): Promise<boolean> {
    if (over) return false
    const opened = await connectDemo({ path, onFact: facts.push, onClose: () => void onClose() })
    if (opened === undefined) return false
    if (over) {
      opened.close()
      return false
    }
    connection?.close()
    connection = opened
    connectedAtMs = performance.now()
    opened.facts(facts.known())
    if (offline) context.report({ type: 'online' })
    offline = false
    return true
  }

  async function onClose(): Promise<void> {
    connection = undefined
    if (performance.now() - connectedAtMs < BRIEF_MS) await pause()
    else waitMs = RETRY_MIN_MS
    await keepTrying()
  }

  async function pause(): Promise<void> {
    await delay(waitMs, undefined, { ref: false })
    waitMs = Math.min(waitMs * 2, RETRY_MAX_MS)
  }

  async function keepTrying(): Promise<void> {
    const sinceMs = performance.now()
    while (!over) {
      try {
        if ((await tryConnect()) || (await isDead(sinceMs))) return
      } catch (error) {
        context.log({ error: String(error) }, 'the demo executor cannot be looked after; trying again')
      }
      await pause()
    }
  }

  async function isDead(sinceMs: number): Promise<boolean> {
    const found = await pane.state()
    if (over) return true
    if (found === undefined || found.dead) {
      await onDead(endMessage(found))
      return true
    }
    if (!offline && performance.now() - sinceMs > PATIENCE_MS) {
      context.report({ type: 'offline', message: 'The demo executor does not answer on its socket.' })
      offline = true
    }
    return false
  }

  return {
    tryConnect,
    keepTrying: () => void keepTrying(),
    connection: () => connection,
    /** Connects anew and reads again what was not reported. */
    restart(): void {
      connection?.close()
      void onClose()
    },
    /** Nothing is tried or reported from now on. */
    end(): void {
      over = true
    },
    isOver: () => over,
  }
}
