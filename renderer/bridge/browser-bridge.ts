import type { Bridge, IpcAnswer } from '../../shared/ipc.ts'
import { CLOSE_SESSION_ENDED } from '../../shared/ipc/session-close.ts'
import { decodeTerminalFrame } from '../../shared/ipc/terminal-frame.ts'
import { createListeners } from '../../shared/listeners.ts'
import { readFrame, readKey } from './frames.ts'

/**
 * Why a page has no session: the one it had has `ended`, the ticket of its address was `spent` (used already, or too old), or it
 * has `never` had one.
 */
export type SignedOutWhy = 'ended' | 'spent' | 'never'

/** How the page of the browser shell is connected with its services. */
export type BrowserLink = 'connecting' | 'open' | 'lost' | { signedOut: SignedOutWhy }

const RETRY_MS = [250, 500, 1_000, 2_000, 4_000]

/**
 * The bridge over a WebSocket of the page's own origin. The ticket in the address becomes a session first. A call that was
 * under way when the connection broke is answered with `connection_lost`; it is never sent again.
 */
export function createBrowserBridge(onLink: (link: BrowserLink) => void): Bridge & { retry(): void } {
  const waiting = new Map<number, (answer: IpcAnswer) => void>()
  const events = createListeners<[name: string, payload: unknown]>()
  const queue: string[] = []
  let socket: WebSocket | undefined
  let lastId = 0
  let attempt = 0
  let timer: number | undefined
  let isOpening = false

  /** One at a time: signing in may take long, and a second socket would be a second window. */
  async function open(): Promise<void> {
    if (isOpening) return
    isOpening = true
    await openSocket().finally(() => (isOpening = false))
  }

  async function openSocket(): Promise<void> {
    onLink('connecting')
    // With both halves of a session the socket is tried at once; whether they are still good is asked when it is refused.
    const isLikelySignedIn = attempt === 0 && pageKey().length > 0 && ticketOfAddress() === undefined
    const refused = isLikelySignedIn ? undefined : await signIn()
    if (refused !== undefined) return onLink({ signedOut: refused })
    // A page can set no headers here, so the key goes along as a second subprotocol.
    const opening = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/ws`, ['handoff', ...pageKey()])
    opening.binaryType = 'arraybuffer'
    socket = opening
    opening.onopen = () => {
      attempt = 0
      onLink('open')
      for (const text of queue.splice(0)) opening.send(text)
    }
    opening.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) =>
      typeof data === 'string' ? hear(data) : hearTerminal(data)
    opening.onclose = ({ code }) => {
      if (socket !== opening) return
      socket = undefined
      for (const answer of waiting.values()) answer(lost())
      waiting.clear()
      queue.length = 0
      if (code === CLOSE_SESSION_ENDED) return onLink({ signedOut: 'ended' })
      onLink('lost')
      timer = window.setTimeout(() => void open(), RETRY_MS[Math.min(attempt++, RETRY_MS.length - 1)])
    }
  }

  /** What is not text is output of a terminal, the only thing that comes in masses. */
  function hearTerminal(message: ArrayBuffer): void {
    const data = decodeTerminalFrame(message)
    if (data !== undefined) events.tell('terminal.data', data)
  }

  function hear(text: string): void {
    const frame = readFrame(text)
    if (frame === undefined) return
    if ('event' in frame) return events.tell(frame.event, frame.payload)
    waiting.get(frame.id)?.(frame.answer)
    waiting.delete(frame.id)
  }

  void open()
  return {
    call(name, input) {
      const id = (lastId += 1)
      const text = JSON.stringify({ id, name, input })
      return new Promise((resolve) => {
        waiting.set(id, resolve)
        if (socket?.readyState === WebSocket.OPEN) socket.send(text)
        else queue.push(text)
      })
    },
    subscribe: events.add,
    retry() {
      clearTimeout(timer)
      attempt = 0
      if (socket === undefined) void open()
    },
  }
}

function lost(): IpcAnswer {
  return {
    ok: false,
    error: { code: 'connection_lost', message: 'The connection to the desk’s services was lost.' },
  }
}

const KEY = 'handoff.key'

/** The page's half of the session; the other half is a cookie, which browsers send to every port of an address. */
function pageKey(): string[] {
  const key = localStorage.getItem(KEY)
  return key === null ? [] : [key]
}

/** The one-time ticket behind the `#` of the address. */
export function ticketOfAddress(): string | undefined {
  return /^#ticket=([A-Za-z0-9_-]{20,200})$/.exec(location.hash)?.[1]
}

/**
 * Trades the one-time ticket of the address for a session; without a good ticket the session of before must do. Says why there is
 * none.
 */
async function signIn(): Promise<SignedOutWhy | undefined> {
  const ticket = ticketOfAddress()
  let isSpent = false
  const headers = Object.fromEntries(pageKey().map((key) => ['X-Handoff-Key', key]))
  if (ticket !== undefined) {
    // Out of the address at once: it must not stay in the history or be copied along.
    history.replaceState(null, '', location.pathname)
    const answer = await fetch('/session', {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ ticket }),
    }).catch(() => undefined)
    if (answer?.status === 200) {
      const key = readKey(await answer.json())
      if (key !== undefined) localStorage.setItem(KEY, key)
      return undefined
    }
    isSpent = answer?.status === 401
  }
  const answer = await fetch('/session', { method: 'GET', headers }).catch(() => undefined)
  if (answer?.status !== 401) return undefined
  if (isSpent) return 'spent'
  return pageKey().length > 0 ? 'ended' : 'never'
}
