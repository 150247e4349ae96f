// 1 000 tickets within a second: the page and the services go on answering, and in the end all of them are there.
import path from 'node:path'
import { until } from '../../support/until.ts'
import { startBenchDesk } from '../support/bench-desk.ts'
import { deskHome } from '../support/desk-home.ts'
import { untilSettled, withDeskPlace } from '../support/desk-place.ts'
import { watchMainThread } from '../support/main-thread.ts'
import { report } from '../support/report.ts'
import { startToldHost } from '../support/told-host.ts'

const TICKETS = 1_000
const TASKS = 100
const OVER_MS = 1_000
const GOAL_MS = 100

await withDeskPlace(async ({ folder, env, browser, keep }) => {
  const home = await deskHome(path.join(folder, 'h'), { tasks: 5_000, running: TASKS, tickets: 20 })
  const host = keep(await startToldHost(home, env))
  const desk = keep(await startBenchDesk(home, env))
  const context = await browser.newContext({ viewport: { width: 1180, height: 760 } })
  const page = await context.newPage()
  await page.goto(await desk.newUrl())
  await page.locator('section[data-ticket] button').first().waitFor()
  await untilSettled(home, desk.facts)
  let badge = { count: 0, at: 0 }
  desk.onBadge((count, at) => (badge = { count, at }))
  let told = { at: 0, doneAt: 0 }
  const busy = await watchMainThread(page, async () => {
    told = await host.burst(TICKETS, TASKS, OVER_MS)
    await until('the badge to be right', () => badge.count === TICKETS + 20, { timeoutMs: 20_000 })
    await page.getByRole('navigation').first().getByText('999+').waitFor({ timeout: 20_000 })
    await until('the page to be quiet', notBefore(500), { intervalMs: 50 })
  })
  const facts = await desk.facts()
  const goal = { of: 'value', atMost: GOAL_MS } as const
  const name = `${TICKETS} tickets in ${Math.round(told.doneAt - told.at)} ms`
  report({ case: `${name}: longest task of the page, CPU`, unit: 'ms', value: busy.longestCpuMs, goal })
  report({ case: `${name}: longest task of the page, clock`, unit: 'ms', value: busy.longestMs })
  report({ case: `${name}: all tasks of the page, CPU`, unit: 'ms', value: busy.cpuMs })
  report({ case: `${name}: longest pause of the services`, unit: 'ms', value: facts.loopMaxMs, goal })
  report({
    case: `${name}: last ticket until the number on the icon is right`,
    unit: 'ms',
    value: Math.max(0, badge.at - told.doneAt),
  })
})

function notBefore(ms: number): () => boolean {
  const startedAt = performance.now()
  return () => performance.now() - startedAt >= ms
}
