import { spawn, type ChildProcess } from 'node:child_process'
import path from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import {
  askDesk,
  deskAddressSchema,
  readDeskClaim,
  type DeskAddress,
} from '../../shared/node/desk-control.ts'
import { startHost, type TestHost } from './agentd.ts'
import type { ChromiumForTests } from './chromium.ts'

const root = path.resolve(import.meta.dirname, '../..')
const READY_MS = 60_000

/** Options of a test desk. Without a `host` one is started, and ended with the desk. */
export interface DeskOptions {
  host?: TestHost
  args?: readonly string[]
  environment?: NodeJS.ProcessEnv
}

/**
 * The real browser shell (dist/browser-host.js) on the home of a real agentd. `page` opens it in a Chromium, signed in;
 * `dispose` ends it, and the host when it came with it.
 */
export async function startDesk(options: DeskOptions = {}) {
  const host = options.host ?? (await startHost())
  let child: ChildProcess | undefined
  let address: DeskAddress

  async function start(): Promise<void> {
    const script = path.join(root, 'dist/browser-host.js')
    const started = spawn(process.execPath, [script, ...(options.args ?? [])], {
      env: { ...host.environment, ...options.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    address = await firstLine(started)
  }

  /** Ends the browser shell with a signal and waits until it is gone. */
  async function end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const running = child
    child = undefined
    if (!running || running.exitCode !== null || running.signalCode !== null) return
    const gone = new Promise<void>((resolve) => running.once('exit', () => resolve()))
    running.kill(signal)
    await gone
  }

  const claim = () => {
    const found = readDeskClaim(host.home)
    if (!found) throw new Error('no desk runs for this home')
    return found
  }

  /** An address with a ticket that was not used. */
  async function newUrl(): Promise<string> {
    const answer = await askDesk(claim(), { ask: 'ticket' })
    if (!answer) throw new Error('the desk has ended')
    return answer.url
  }

  try {
    await start()
  } catch (error) {
    // One that is late would start agentd again once its home is being cleared away.
    await end('SIGKILL')
    if (!options.host) await host.dispose()
    throw error
  }
  return {
    host,
    claim,
    newUrl,
    start,
    end,
    origin: () => `http://127.0.0.1:${address.port}`,
    port: () => address.port,
    /** The address it printed when it started; its ticket is good for one sign-in. */
    url: () => address.url,
    pid: () => child?.pid,
    /** A page in a browser of its own, signed in. Its context is closed by whoever asked for it, or with the browser. */
    async page(chromium: ChromiumForTests, context: BrowserContextOptions = {}): Promise<Page> {
      const page = await (await chromium.context(context)).newPage()
      // The page opens its socket only once it has kept its half of the session; a page left before that is not signed in.
      const signedIn = page.waitForEvent('websocket')
      await page.goto(await newUrl())
      await signedIn
      return page
    },
    async dispose(): Promise<void> {
      await end()
      if (!options.host) await host.dispose()
    },
  }
}

export type TestDesk = Awaited<ReturnType<typeof startDesk>>

/** The line that the browser shell prints when it serves. */
function firstLine(child: ChildProcess): Promise<DeskAddress> {
  return new Promise((resolve, reject) => {
    let stdout = ''
    let stderr = ''
    const timer = setTimeout(
      () => reject(new Error(`the desk was not ready in time: ${stdout}${stderr}`)),
      READY_MS,
    )
    child.stdout?.on('data', (chunk: Buffer) => {
      stdout += chunk.toString()
      if (!stdout.includes('\n')) return
      clearTimeout(timer)
      const line = stdout.slice(0, stdout.indexOf('\n'))
      const parsed = deskAddressSchema.safeParse(JSON.parse(line))
      if (parsed.success) resolve(parsed.data)
      else reject(new Error(`the desk did not open: ${line} ${stderr}`))
    })
    child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    child.once('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`the desk ended with ${code}: ${stderr}`))
    })
  })
}
