import type { ExecutorContext } from '../adapter.ts'
import type { SavedStateStore } from './adapter-state.ts'
import { createConversation } from './conversation.ts'
import { openEventStream, type EventStreamTimes } from './event-stream.ts'
import { createFamily, type Family } from './family.ts'
import { createPendingRequests, type PendingRequests } from './pending.ts'
import { createSerialQueue } from '../serial-queue.ts'
import type { ServerProcess } from './server-process.ts'

/** Times and limits of the adapter; tests shorten them. */
export interface WatcherSettings {
  now: () => number
  stream: EventStreamTimes
  /** How long contact may be lost before it is told. */
  offlineGraceMs: number
  /** When to give up on a model that keeps failing. */
  retryLimit: { attempts: number; totalMs: number }
  /** How long an idle session may look half-done before that counts as its end. */
  settleMs: number
  /** How long a prompt may lie there before it counts as not taken up. */
  neglectMs: number
  /** Whether the agent's own screen is opened in tmux; without it there is only the server's log to see. */
  agentScreen: boolean
}

/** The eyes of the adapter on one conversation. */
export interface Watcher {
  pending: PendingRequests
  family: Family
  /** Resolves after the first complete look at the conversation, or when that takes too long. */
  firstLook(): Promise<void>
  /** Reads everything again and says what was found. */
  look(): Promise<string>
  /** Has everything read again after a while. */
  lookLater(delayMs: number): void
  dispose(): void
}

const FIRST_LOOK_MS = 15_000
const LOOK_AGAIN_MS = 1_000

/** What following a conversation takes. */
export interface WatcherNeeds {
  context: ExecutorContext
  saved: SavedStateStore
  server: ServerProcess
  sessionId: string
  settings: WatcherSettings
}

/** Follows one conversation: events as they come, and a full look whenever some may have been missed. */
export function createWatcher({ context, saved, server, sessionId, settings }: WatcherNeeds): Watcher {
  const api = server.api()
  const family = createFamily(sessionId)
  const pending = createPendingRequests({ context, saved, api: () => api, family, now: settings.now })
  const conversation = createConversation({ context, saved, api, family, pending, settings, lookLater })
  const queue = createSerialQueue()
  const contact = createSerialQueue()
  const timers = new Set<NodeJS.Timeout>()
  let disposed = false
  let offline = false
  let lostSince: number | undefined
  let firstDone: () => void = () => undefined
  const first = new Promise<void>((resolve) => (firstDone = resolve))

  function lookLater(delayMs: number): void {
    if (disposed) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      enqueue(async () => void (await conversation.look()))
    }, delayMs)
    timers.add(timer)
  }

  /** What fails here (no answer, nothing can be stored) is made good by a full look later. */
  function enqueue(work: () => Promise<void>): void {
    void queue.run(async () => {
      if (disposed) return
      try {
        await work()
      } catch (error) {
        context.log({ error: String(error) }, 'opencode could not be read; trying again')
        lookLater(LOOK_AGAIN_MS)
      }
    })
  }

  /** Contact is told at once, not after whatever waits for an answer from a frozen server. */
  function tellContact(work: () => Promise<void>): void {
    void contact.run(async () => {
      if (disposed) return
      try {
        await work()
      } catch (error) {
        context.log({ error: String(error) }, 'the state of the contact to opencode could not be told')
      }
    })
  }

  async function connected(): Promise<void> {
    lostSince = undefined
    if (offline) context.report({ type: 'online' })
    offline = false
    enqueue(async () => {
      await conversation.look()
      firstDone()
    })
  }

  async function lostContact(problem: string): Promise<void> {
    if (!(await server.alive())) {
      context.report({ type: 'lost', message: 'opencode has ended.', logTail: await server.tail() })
      firstDone()
      dispose()
      return
    }
    lostSince ??= settings.now()
    if (offline || settings.now() - lostSince < settings.offlineGraceMs) return
    context.report({ type: 'offline', message: problem })
    offline = true
  }

  const stream = openEventStream({
    url: api.eventUrl,
    authorization: api.authorization,
    times: settings.stream,
    onConnected: () => tellContact(connected),
    onEvent: (event) => enqueue(() => conversation.onEvent(event)),
    onLost: (problem) => tellContact(() => lostContact(problem)),
  })

  function dispose(): void {
    disposed = true
    stream.dispose()
    for (const timer of timers) clearTimeout(timer)
  }

  return {
    pending,
    family,
    async firstLook() {
      let timer: NodeJS.Timeout | undefined
      const tooLong = new Promise<void>((resolve) => (timer = setTimeout(resolve, FIRST_LOOK_MS)))
      await Promise.race([first, tooLong])
      clearTimeout(timer)
    },
    look: () => queue.run(() => conversation.look()),
    lookLater,
    dispose,
  }
}
