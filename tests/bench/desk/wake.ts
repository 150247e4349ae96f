// From a ticket at agentd to the number on the icon and to the row on the screen. The baseline is a bare WebSocket push of the
// same words to a bare page.
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { until } from '../../support/until.ts'
import { startBarePage } from '../support/bare-page.ts'
import { startBenchDesk } from '../support/bench-desk.ts'
import { deskHome } from '../support/desk-home.ts'
import { untilSettled, withDeskPlace } from '../support/desk-place.ts'
import { addProbe, probeOf } from '../support/page-probe.ts'
import { median, percentile, report } from '../support/report.ts'
import { startToldHost } from '../support/told-host.ts'

const SAMPLES = 100
/** Further tickets wait all the time, so that the list is never empty. */
const WAITING = 5

await withDeskPlace(async ({ folder, env, browser, keep }) => {
  const home = await deskHome(path.join(folder, 'h'), { tasks: 1_000, running: 10, tickets: WAITING })
  const host = keep(await startToldHost(home, env))
  const bare = keep(await startBarePage())
  const desk = keep(await startBenchDesk(home, env))
  const context = await browser.newContext({ viewport: { width: 1180, height: 760 } })
  await addProbe(context)
  const barePage = await context.newPage()
  await barePage.goto(bare.url)
  await until('the bare page to listen', bare.isConnected)
  const page = await context.newPage()
  await page.goto(await desk.newUrl())
  await page.locator('[role=option] time').first().waitFor()
  await untilSettled(home, desk.facts)
  let badge: { count: number; at: number } = { count: WAITING, at: 0 }
  desk.onBadge((count, at) => (badge = { count, at }))

  const toBadge: number[] = []
  const toScreen: number[] = []
  const toBare: number[] = []
  for (let n = 0; n < SAMPLES; n += 1) {
    const name = `bench-${randomUUID().replaceAll('-', '')}`
    const plain = `bench-${randomUUID().replaceAll('-', '')}`
    const pushedAt = bare.push(plain)
    toBare.push((await seenAt(barePage, plain)) - pushedAt)
    const { at } = await host.ask(6, name, `npm run ${name}`)
    await until('the number on the icon', () => badge.count === WAITING + 1, { intervalMs: 2 })
    toBadge.push(badge.at - at)
    toScreen.push((await seenAt(page, name)) - at)
    await host.close(6, name)
    // What is gathered after a change is sent 50 ms later at the latest; each ticket here comes after a rest.
    await until('the ticket to be gone', () => badge.count === WAITING, { intervalMs: 10 })
    await page.locator('[role=option]', { hasText: name }).waitFor({ state: 'detached' })
  }
  const pairs = { 'to the number on the icon': toBadge, 'to the row on the screen': toScreen }
  for (const [name, values] of Object.entries(pairs)) {
    report({
      case: `ticket at agentd ${name}, p50`,
      unit: 'ms',
      value: median(values),
      baseline: median(toBare),
    })
    report({
      case: `ticket at agentd ${name}, p99`,
      unit: 'ms',
      value: percentile(values, 99),
      baseline: percentile(toBare, 99),
    })
  }
})

async function seenAt(page: Parameters<typeof probeOf>[0], name: string): Promise<number> {
  return until(`${name} on the screen`, async () => (await probeOf(page)).seen[name], { intervalMs: 5 })
}
