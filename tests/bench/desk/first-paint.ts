// Two times with 50 000 cached tasks and 2 000 open tickets. From the start of the services (a process of their own) to their
// first answer to a window; and, with services that run, from navigation to the first painted rows of the inbox, which is the
// first paint. Somebody who starts the app waits for both; the page may be loading while the services start.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { BrowserContext } from 'playwright-core'
import { z } from 'zod'
import { deskAddressSchema } from '../../../shared/node/desk-control.ts'
import type { Home } from '../../../shared/node/home.ts'
import { openWindow, signIn } from '../../support/desk-client.ts'
import { until } from '../../support/until.ts'
import { root } from '../support/agentd.ts'
import { startBarePage } from '../support/bare-page.ts'
import { startBenchDesk } from '../support/bench-desk.ts'
import { deskHome } from '../support/desk-home.ts'
import { untilSettled, withDeskPlace } from '../support/desk-place.ts'
import { mainThreadClock } from '../support/main-thread.ts'
import { addProbe, probeOf, type PageProbe } from '../support/page-probe.ts'
import { median, report } from '../support/report.ts'
import { startToldHost } from '../support/told-host.ts'

const RUNS = 7
const GOAL_MS = 400

await withDeskPlace(async ({ folder, env, browser, keep }) => {
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
  const context = await browser.newContext({ viewport: { width: 1180, height: 760 } })
  await addProbe(context)
  await visit(context, await desk.newUrl())
  const origin = new URL(await desk.newUrl()).origin
  const shown: Visit[] = []
  const first: Visit[] = []
  const bares: Visit[] = []
  for (let run = 0; run < RUNS; run += 1) {
    bares.push(await visit(context, bare.url))
    shown.push(await visit(context, origin))
    // A browser that has never been here: everything has to be fetched and compiled.
    const fresh = await browser.newContext({
      viewport: { width: 1180, height: 760 },
      storageState: await context.storageState(),
    })
    await addProbe(fresh)
    first.push(await visit(fresh, origin))
    await fresh.close()
  }
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
    case: 'the same in a browser that was never here',
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

async function visit(context: BrowserContext, url: string): Promise<Visit> {
  const page = await context.newPage()
  const cpuMs = await mainThreadClock(page)
  await page.goto(url)
  const isBare = !new URL(url).hash && (await page.title()) === ''
  const { rowsAt, cardAt, longTasks } = await until(
    'the page to be drawn',
    async (): Promise<(PageProbe & { rowsAt: number }) | undefined> => {
      const seen = await probeOf(page)
      const isDrawn = seen.rowsAt !== undefined && (isBare || seen.cardAt !== undefined)
      return isDrawn ? { ...seen, rowsAt: seen.rowsAt ?? 0 } : undefined
    },
    { timeoutMs: 30_000, intervalMs: 100 },
  )
  const visited = {
    rowsAt,
    cardAt: cardAt ?? rowsAt,
    longestMs: Math.max(0, ...longTasks.map(({ ms }) => ms)),
    cpuMs: await cpuMs(),
  }
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
  opened.socket.send(JSON.stringify({ id: 1, name: 'desk.state', input: {} }))
  for (;;) {
    const [data] = (await once(opened.socket, 'message')) as [Buffer]
    const { id } = z.object({ id: z.number().optional() }).parse(JSON.parse(data.toString()))
    if (id === 1) break
  }
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
