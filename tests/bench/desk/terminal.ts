// 100 MB through pty host, services and page against the same bytes in bare xterm.js in that page, and how soon keys come
// back in another terminal meanwhile (the baseline: while nothing is flooded). Somebody types during the bare runs too, or the
// flood alone would pay for drawing the other window. `tmux` is replaced by the program itself: tmux sends a picture, not what it was told.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { tmuxSession } from '../../../agentd/tasks/workspace.ts'
import { taskId } from '../../support/sample-store.ts'
import { until } from '../../support/until.ts'
import { processFacts } from '../support/agentd.ts'
import { startBenchDesk } from '../support/bench-desk.ts'
import { deskHome } from '../support/desk-home.ts'
import { untilSettled, withDeskPlace } from '../support/desk-place.ts'
import { threadClock } from '../support/main-thread.ts'
import { startPlainBrowser, type PlainPage } from '../support/plain-browser.ts'
import { percentile, report } from '../support/report.ts'
import { createScreens } from '../support/screens.ts'
import { addBareTerminal, terminalProbe, terminalProbeOf } from '../support/terminal-page.ts'
import { startToldHost } from '../support/told-host.ts'

const MEGABYTES = 100
/** How often a block of a megabyte is written to bare xterm.js, before the flood and after it. */
const BARE_REPEATS = 15
/** What the window chooses where nobody has chosen. */
const LOOK = { fontSize: 12, scrollback: 10_000, cols: 120, rows: 40 }
const PATIENCE = { timeoutMs: 120_000 }
/** A key every so often, as somebody types who is fast. */
const KEY_MS = 100
const KEYS = 'abcdefghijklmnopqrstuvwxyz'

await withDeskPlace(async ({ folder, env: plainEnv, keep }) => {
  const [flood, echo, inTmux] = [1, 2, 3].map((n) => tmuxSession(taskId(n))) as [string, string, string]
  const screens = await createScreens(folder, { env: plainEnv, flood, echo, megabytes: MEGABYTES })
  const { env, block, sizeMegabytes } = screens
  const home = await deskHome(path.join(folder, 'h'), { tasks: 3, running: 3 })
  keep(await startToldHost(home, env))
  const desk = keep(await startBenchDesk(home, env))
  // A window each: what lies behind another tab gets less of the processor.
  const browser = keep(await startPlainBrowser(folder))
  const [page, keys] = [await browser.open(terminalProbe), await browser.open(terminalProbe)]
  await page.goto(await desk.newUrl())
  await keys.goto(await desk.newUrl())
  await untilSettled(home, desk.facts)
  desk.rest()
  await takeKeyboard(keys, 2)
  await addBareTerminal(page)
  const before = { ...(await desk.facts()), heap: await heapMegabytes(page) }
  const cpuMs = await threadClock(page.send)

  const bareRun = async (webgl: boolean) => {
    let isOver = false
    const typing = typeWhile(keys, () => isOver)
    const from = await cpuMs()
    const tookMs = await page.evaluate((how) => window.bareTerminal(how), {
      block,
      repeats: BARE_REPEATS,
      webgl,
      look: LOOK,
    })
    const spentMs = (await cpuMs()) - from
    isOver = true
    await typing
    return { tookMs, cpuMs: spentMs }
  }
  await openTerminal(page, 2)
  const isDrawnWithWebgl = await page.evaluate(
    () => document.querySelector<HTMLElement>('[data-renderer]')?.dataset['renderer'] === 'webgl',
    undefined,
  )
  const quiet = await typeWhile(keys, (pressed) => pressed >= 50)
  const bareBefore = await bareRun(isDrawnWithWebgl)
  const floodFrom = await cpuMs()
  await openTerminal(page, 1)
  await page.waitFor('the flood to begin', () => window.terminalProbe.chars > 1_000_000, undefined)
  let isOver = false
  const end = page
    .waitFor('the end of the flood', () => window.terminalProbe.tail.includes('flood is over'), undefined)
    .then(() => (isOver = true))
  const echoes = await typeWhile(keys, () => isOver)
  await end
  const floodCpuMs = (await cpuMs()) - floodFrom
  const { firstAt, lastAt } = await terminalProbeOf(page)
  const rate = sizeMegabytes / ((lastAt - firstAt) / 1_000)
  await goTo(page, '/inbox')
  const after = { ...(await desk.facts()), heap: await heapMegabytes(page) }
  const bareAfter = await bareRun(isDrawnWithWebgl)
  const bare = (2 * BARE_REPEATS * block.length) / 1_000 / (bareBefore.tookMs + bareAfter.tookMs)
  report({
    case: `terminal: ${MEGABYTES} MB from a program to the page (${isDrawnWithWebgl ? 'WebGL' : 'DOM'})`,
    unit: 'MB/s',
    value: rate,
    baseline: bare,
    goal: { of: 'ratio', atLeast: 0.8 },
  })
  report({
    case: 'terminal: main thread of the page, CPU for a megabyte',
    unit: 'ms',
    value: floodCpuMs / sizeMegabytes,
    baseline: ((bareBefore.cpuMs + bareAfter.cpuMs) / (2 * BARE_REPEATS * block.length)) * 1_000_000,
  })
  report({
    case: 'echo of a key during the flood, p50',
    unit: 'ms',
    value: percentile(echoes, 50),
    baseline: percentile(quiet, 50),
  })
  report({
    case: `echo of a key during the flood, p95 of ${echoes.length}`,
    unit: 'ms',
    value: percentile(echoes, 95),
    baseline: percentile(quiet, 95),
    goal: { of: 'value', atMost: 50 },
  })
  report({
    case: 'memory of the services: what the flood left',
    unit: 'MB RSS',
    value: Math.max(0, after.rssMegabytes - before.rssMegabytes),
    goal: { of: 'value', atMost: 100 },
  })
  report({
    case: 'memory of the page: what the flood left',
    unit: 'MB heap',
    value: Math.max(0, after.heap - before.heap),
    goal: { of: 'value', atMost: 30 },
  })
  await throughTmux()

  async function throughTmux(): Promise<void> {
    const endTmux = screens.beginTmux(inTmux)
    try {
      await takeKeyboard(page, 3)
      const startedAt = performance.now()
      await page.press('Enter')
      await until('tmux to have taken all', () => existsSync(path.join(folder, 'tmux-done')), PATIENCE)
      report({
        case: 'for comparison: the same through tmux, with the page attached',
        unit: 'MB/s',
        value: sizeMegabytes / ((performance.now() - startedAt) / 1_000),
        baseline: bare,
      })
      const { rssMegabytes } = await processFacts(desk.pid)
      report({ case: 'memory of the services with three terminals', unit: 'MB RSS', value: rssMegabytes })
    } finally {
      endTmux()
    }
  }
})

async function goTo(page: PlainPage, route: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = to
  }, route)
}

async function openTerminal(page: PlainPage, task: number): Promise<void> {
  await goTo(page, `/tasks/local/${taskId(task)}/terminal`)
  await page.waitFor(
    'the terminal',
    () => document.querySelector('[data-renderer] .xterm') !== null,
    undefined,
  )
}

async function takeKeyboard(page: PlainPage, task: number): Promise<void> {
  await openTerminal(page, task)
  await page.waitFor(
    'the keyboard',
    () => {
      const button = document.querySelector<HTMLElement>('[data-kind="live"] button[aria-pressed]')
      if (button?.ariaPressed === 'false') button.click()
      return button?.ariaPressed === 'true'
    },
    undefined,
  )
}

/** Presses a key ten times a second, or as soon as the one before is back, until it is over; answers how long each took. */
async function typeWhile(page: PlainPage, isOver: (pressed: number) => boolean): Promise<number[]> {
  await page.evaluate(() => {
    document.querySelector<HTMLElement>('.xterm-helper-textarea')?.focus()
    window.terminalProbe.keys = []
  }, undefined)
  for (let pressed = 0; !isOver(pressed) && pressed < 1_000; pressed += 1) {
    await page.press(KEYS[pressed % KEYS.length] ?? 'a')
    await page.waitFor(
      'the echo, and the time for the next key',
      (ms) => {
        const last = window.terminalProbe.keys.at(-1)
        return last?.drawnAt !== undefined && performance.now() - last.pressedAt >= ms
      },
      KEY_MS,
    )
  }
  const { keys } = await terminalProbeOf(page)
  return keys.flatMap(({ pressedAt, drawnAt }) => (drawnAt === undefined ? [] : [drawnAt - pressedAt]))
}

async function heapMegabytes(page: PlainPage): Promise<number> {
  await page.send('HeapProfiler.collectGarbage')
  const { usedSize } = await page.send<{ usedSize: number }>('Runtime.getHeapUsage')
  return usedSize / 1_000_000
}
