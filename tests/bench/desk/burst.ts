// 1 000 tickets within a second: the page and the services go on answering, and in the end all of them are there.
import path from 'node:path'
import { until } from '../../support/until.ts'
import { createHostStore } from '../../../shared/node/hosts/host-store.ts'
import { startScriptedHost } from '../../support/scripted-host.ts'
import { startBenchDesk, type DeskFacts } from '../support/bench-desk.ts'
import { deskHome } from '../support/desk-home.ts'
import { untilSettled, withDeskPlace } from '../support/desk-place.ts'
import { watchMainThread, type MainThread } from '../support/main-thread.ts'
import { report } from '../support/report.ts'
import { startToldHost } from '../support/told-host.ts'

const TICKETS = 1_000
const TASKS = 100
const SEEDED = 20
const OVER_MS = 1_000
const GOAL_MS = 100

await withDeskPlace(async ({ folder, env, browser, keep }) => {
  const home = await deskHome(path.join(folder, 'h'), { tasks: 5_000, running: TASKS, tickets: SEEDED })
  const told = keep(await startToldHost(home, env))
  // Does nothing but talk, so that what is measured is the desk.
  const scripted = keep(await startScriptedHost({ tasks: TASKS, tickets: SEEDED }))
  createHostStore(home.root).add({ name: 'scripted', address: scripted.address, token: 'any' })
  const desk = keep(await startBenchDesk(home, env))
  const context = await browser.newContext({ viewport: { width: 1180, height: 760 } })
  const page = await context.newPage()
  await page.goto(await desk.newUrl())
  await page.locator('section[data-ticket] button').first().waitFor()
  let badge = { count: 0, at: 0 }
  desk.onBadge((count, at) => (badge = { count, at }))
  await untilSettled(home, desk.facts)
  let waiting = 2 * SEEDED
  for (const [name, host] of Object.entries({ 'a host that only talks': scripted, agentd: told })) {
    await untilSettled(home, desk.facts)
    await desk.facts()
    let burst = { at: 0, doneAt: 0 }
    waiting += TICKETS
    const busy = await watchMainThread(page, async () => {
      burst = await host.burst(TICKETS, TASKS, OVER_MS)
      await until('the badge to be right', () => badge.count === waiting, { timeoutMs: 60_000 })
      await page.getByRole('navigation').first().getByText('999+').waitFor({ timeout: 20_000 })
      await until('the page to be quiet', notBefore(500), { intervalMs: 50 })
    })
    tell(
      `${TICKETS} tickets in ${Math.round(burst.doneAt - burst.at)} ms of ${name}`,
      busy,
      await desk.facts(),
    )
    const lateMs = Math.max(0, badge.at - burst.doneAt)
    report({ case: `${name}: last ticket until the number on the icon is right`, unit: 'ms', value: lateMs })
  }
})

function tell(name: string, page: MainThread, desk: DeskFacts): void {
  const goal = { of: 'value', atMost: GOAL_MS } as const
  report({ case: `${name}: longest task of the page, CPU`, unit: 'ms', value: page.longestCpuMs, goal })
  report({ case: `${name}: longest task of the page, clock`, unit: 'ms', value: page.longestMs })
  report({ case: `${name}: all tasks of the page, CPU`, unit: 'ms', value: page.cpuMs })
  report({ case: `${name}: longest turn of the services, CPU`, unit: 'ms', value: desk.loopMaxCpuMs, goal })
  report({ case: `${name}: longest pause of the services, clock`, unit: 'ms', value: desk.loopMaxMs })
}

function notBefore(ms: number): () => boolean {
  const startedAt = performance.now()
  return () => performance.now() - startedAt >= ms
}
