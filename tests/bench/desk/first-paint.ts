// Two times with 50 000 cached tasks and 2 000 open tickets. From the start of the services (a process of their own) to their
// first answer to a window; and, with services that run, from navigation to the first painted rows of the inbox, which is the
// first paint. Somebody who starts the app waits for both; the page may be loading while the services start. The browser is one
// with a profile, as people have it, that is told no more than is needed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { z } from 'zod'
import { deskAddressSchema } from '../../../shared/node/desk-control.ts'
import type { Home } from '../../../shared/node/home.ts'
import { openWindow, signIn } from '../../support/desk-client.ts'
import { root } from '../support/agentd.ts'
import { startBarePage } from '../support/bare-page.ts'
import { startBenchDesk } from '../support/bench-desk.ts'
import { deskHome } from '../support/desk-home.ts'
import { untilSettled, withDeskPlace } from '../support/desk-place.ts'
import { threadClock } from '../support/main-thread.ts'
import { probe, type PageProbe } from '../support/page-probe.ts'
import { startPlainBrowser, type PlainPage } from '../support/plain-browser.ts'
import { median, report } from '../support/report.ts'
import { startToldHost } from '../support/told-host.ts'

const RUNS = 7
const GOAL_MS = 400

await withDeskPlace(async ({ folder, env, keep }) => {
  const home = await deskHome(path.join(folder, 'h'), { tasks: 50_000, running: 400, tickets: 2_000 })
  keep(await startToldHost(home, env))
  const starts: number[] = []
  const nodes: number[] = []
  for (let run = 0; run < 3; run += 1) {
    nodes.push(await nodeStart())
    starts.push(await coldStart(home, env))
  }
  report({
    case: 'start of the services until their first answer',
    unit: 'ms',
    value: median(starts),
    baseline: median(nodes),
  })
  const bare = keep(await startBarePage())
  const desk = keep(await startBenchDesk(home, env))
  await untilSettled(home, desk.facts)
  const browser = keep(await startPlainBrowser(folder))
  const visit = async (url: string, what: Omit<Look, 'url'> = {}) =>
    look(await browser.openInProfile(probe), { url, ...what })
  const url = await desk.newUrl()
  const { origin } = new URL(url)
  // A browser keeps compiled scripts when it meets them for the second time, a while after the page is there.
  await visit(url, { until: () => browser.keptScript(1) })
  await visit(origin, { until: () => browser.keptScript(100_000) })
  await visit(origin)
  const shown: Visit[] = []
  const first: Visit[] = []
  const bares: Visit[] = []
  for (let run = 0; run < RUNS; run += 1) {
    bares.push(await visit(bare.url, { isBare: true }))
    shown.push(await visit(origin))
  }
  for (let run = 0; run < RUNS; run += 1) first.push(await visit(origin, { isNew: true }))
  const baseline = median(bares.map(({ rowsAt }) => rowsAt))
  const goal = { of: 'value', atMost: GOAL_MS } as const
  const name = '50 000 cached tasks'
  report({
    case: `first paint of the inbox, ${name}, from navigation to painted rows`,
    unit: 'ms',
    value: mid(shown, 'rowsAt'),
    baseline,
    goal,
  })
  report({
    case: 'the same with nothing of it in the caches of the browser',
    unit: 'ms',
    value: mid(first, 'rowsAt'),
    baseline,
    goal,
  })
  report({ case: 'the first ticket can be answered', unit: 'ms', value: mid(shown, 'cardAt'), baseline })
  report({
    case: 'main thread of the page until all is drawn, CPU',
    unit: 'ms',
    value: mid(shown, 'cpuMs'),
    baseline: mid(bares, 'cpuMs'),
    goal,
  })
  report({
    case: 'longest task of the page while it starts',
    unit: 'ms',
    value: median(shown.map(({ longestMs }) => longestMs)),
    baseline: median(bares.map(({ longestMs }) => longestMs)) || 1,
  })
})

interface Visit {
  rowsAt: number
  cardAt: number
  longestMs: number
  cpuMs: number
}

function mid(visits: readonly Visit[], what: keyof Visit): number {
  return median(visits.map((visit) => visit[what]))
}

interface Look {
  url: string
  isBare?: boolean
  /** Empties the browser's caches before. */
  isNew?: boolean
  /** What the page stays open for. */
  until?: () => Promise<unknown>
}

/** Has a page go to an address and says what it noticed. */
async function look(page: PlainPage, { url, isBare = false, isNew = false, until }: Look): Promise<Visit> {
  if (isNew) await page.send('Network.clearBrowserCache')
  const cpuMs = await threadClock((method, params) => page.send(method, params))
  await page.goto(url)
  const isDrawn = (bare: boolean) => {
    // Undefined while the browser is on its way to the page.
    const seen = window.benchProbe as PageProbe | undefined
    return seen?.rowsAt !== undefined && (bare || seen.cardAt !== undefined)
  }
  await page.waitFor('the page to be drawn', isDrawn, isBare)
  const { rowsAt = 0, cardAt, longTasks } = await page.evaluate(() => window.benchProbe, undefined)
  const visited = {
    rowsAt,
    cardAt: cardAt ?? rowsAt,
    longestMs: Math.max(0, ...longTasks.map(({ ms }) => ms)),
    cpuMs: await cpuMs(),
  }
  await until?.()
  await page.close()
  return visited
}

/** Starts the real program, signs in and asks for the state of the desk, as a window does. */
async function coldStart(home: Home, env: NodeJS.ProcessEnv): Promise<number> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [path.join(root, 'dist/browser-host.js'), '--home', home.root], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const { url, port } = deskAddressSchema.parse(JSON.parse(line.toString()))
  const opened = await openWindow(port, await signIn(port, url))
  if (opened.kind !== 'open') throw new Error(`the window was refused: ${opened.status}`)
  // Listened to from the beginning: an event and the answer may come at once.
  const answered = new Promise<void>((resolve) =>
    opened.socket.on('message', (data: Buffer) => {
      if (z.object({ id: z.number().optional() }).parse(JSON.parse(data.toString())).id === 1) resolve()
    }),
  )
  opened.socket.send(JSON.stringify({ id: 1, name: 'desk.state', input: {} }))
  await answered
  const tookMs = performance.now() - startedAt
  opened.socket.terminate()
  const ended = once(child, 'exit')
  child.kill()
  await ended
  return tookMs
}

async function nodeStart(): Promise<number> {
  const startedAt = performance.now()
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit')
  return performance.now() - startedAt
}
