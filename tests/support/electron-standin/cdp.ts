import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'

type Params = Record<string, unknown>
type Listener = (method: string, params: never) => void

/** A running Chromium, spoken to over a pipe. */
export interface Chromium {
  send<T = Params>(method: string, params?: Params, sessionId?: string): Promise<T>
  /** Hears the events of one session, or those of the browser. */
  listen(sessionId: string | undefined, listener: Listener): void
  close(): Promise<void>
}

/** Starts Chromium without a screen. It also opens a port for others (Playwright), named in its profile folder. */
export async function startChromium(executable: string, profile: string): Promise<Chromium> {
  mkdirSync(profile, { recursive: true })
  // What an earlier run left there names a port that is no more.
  rmSync(portFile(profile), { force: true })
  const child = spawn(
    executable,
    [
      ...['--headless', '--no-sandbox', '--no-first-run', '--disable-sync', '--disable-quic'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-popup-blocking'],
      ...['--disable-background-timer-throttling', '--disable-renderer-backgrounding'],
      ...['--disable-backgrounding-occluded-windows', '--hide-scrollbars', '--mute-audio'],
      ...['--password-store=basic', '--use-mock-keychain', '--disable-breakpad'],
      ...['--remote-debugging-pipe', '--remote-debugging-port=0', `--user-data-dir=${profile}`],
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  )
  return speak(child)
}

/** Where Chromium says which port it opened. */
export function portFile(profile: string): string {
  return path.join(profile, 'DevToolsActivePort')
}

function speak(child: ChildProcess): Chromium {
  const [, , , input, output] = child.stdio as [null, null, null, Writable, Readable]
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>()
  const listeners = new Map<string | undefined, Listener[]>()
  let last = 0
  let rest: string[] = []
  let isGone = false

  function hear(text: string): void {
    const message = JSON.parse(text) as {
      id?: number
      method: string
      params: never
      sessionId?: string
      result: never
      error?: { message: string }
    }
    if (message.id === undefined) {
      for (const listener of listeners.get(message.sessionId) ?? []) listener(message.method, message.params)
      return
    }
    const call = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.error === undefined) call?.resolve(message.result)
    else call?.reject(new Error(message.error.message))
  }

  output.setEncoding('utf8').on('data', (data: string) => {
    const parts = data.split('\0')
    const end = parts.pop() ?? ''
    for (const part of parts) {
      hear(rest.join('') + part)
      rest = []
    }
    if (end !== '') rest.push(end)
  })
  // A browser that is just ending closes its pipe under our hands.
  input.on('error', () => undefined)
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => {
      isGone = true
      for (const { reject } of waiting.values()) reject(new Error('Chromium has ended.'))
      waiting.clear()
      resolve()
    })
  })
  // Nothing of the browser may outlive this process.
  process.once('exit', () => child.kill('SIGKILL'))

  return {
    send(method, params = {}, sessionId) {
      if (isGone) return Promise.reject(new Error('Chromium has ended.'))
      return new Promise((resolve, reject) => {
        waiting.set((last += 1), { resolve, reject })
        input.write(`${JSON.stringify({ id: last, method, params, sessionId })}\0`)
      })
    },
    listen(sessionId, listener) {
      listeners.set(sessionId, [...(listeners.get(sessionId) ?? []), listener])
    },
    async close() {
      if (isGone) return
      const timer = setTimeout(() => child.kill('SIGKILL'), 3_000)
      this.send('Browser.close').catch(() => undefined)
      await gone
      clearTimeout(timer)
    },
  }
}
