// Takes a picture of every screen in every state: `node tests/screens/run.ts [--variant TEXT,…] [--state TEXT,…]`. Ends with 1 when
// something on a screen is clipped, outside of the window, too small to press or covered.
import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { startHost } from '../support/agentd.ts'
import { launchChromium } from '../support/chromium.ts'
import { goTo, PATIENCE_MS } from '../support/desk-page.ts'
import { seedDay } from '../support/desk-seed.ts'
import { startDesk, type TestDesk } from '../support/desk.ts'
import { startSecondHost } from '../support/second-host.ts'
import { until } from '../support/until.ts'
import { startBusyDesk } from './busy.ts'
import { writeContactSheet, type Picture } from './contact-sheet.ts'
import { findFaults, type Fault } from './faults.ts'
import { addAwayHosts, findPlaces, type ScreenPlaces } from './places.ts'
import { screenStates, type ScreenState } from './states.ts'

const folder = path.resolve(import.meta.dirname, '../../screens')
const { values: only } = parseArgs({
  options: { variant: { type: 'string', default: '' }, state: { type: 'string', default: '' } },
})
const SIZES = [
  { width: 1_180, height: 760 },
  { width: 900, height: 600 },
]
const allVariants = SIZES.flatMap((size) =>
  (['light', 'dark'] as const).flatMap((theme) =>
    (['en', 'zh'] as const).map((language) => ({
      size,
      theme,
      language,
      name: `${size.width}-${theme}-${language}`,
    })),
  ),
)
type Variant = (typeof allVariants)[number]
// In the order in which they are asked for.
const variants = only.variant
  .split(',')
  .flatMap((part) => allVariants.filter(({ name }) => name.includes(part)))

const pictures: Picture[] = []
const found: { picture: string; fault: Fault }[] = []
const ends: (() => Promise<void>)[] = []

async function openWindow(
  browser: Browser,
  desk: TestDesk,
  { size, theme, language }: Variant,
): Promise<Page> {
  const context = await browser.newContext({ viewport: size })
  const page = await context.newPage()
  await page.goto(await desk.newUrl())
  await page.getByRole('navigation').first().waitFor({ timeout: PATIENCE_MS })
  await goTo(page, '/settings/appearance')
  await page.locator('main select').nth(0).selectOption({ value: language }, { timeout: PATIENCE_MS })
  await page.locator('main select').nth(1).selectOption({ value: theme })
  await page.locator(`html[data-theme="${theme}"][lang^="${language}"]`).waitFor()
  return page
}

async function photograph(page: Page, state: string, variant: Variant): Promise<void> {
  const file = path.join(variant.name, `${state}.png`)
  await page.screenshot({ path: path.join(folder, file), animations: 'disabled' })
  const faults = await findFaults(page)
  for (const fault of faults) found.push({ picture: file, fault })
  pictures.push({ state, variant: variant.name, file, faults: faults.length })
}

/** Nothing is under way any more: no part that is busy, every font there. */
const isStill = (page: Page) =>
  until(
    'the screen to be still',
    async () => {
      const before = await page.innerHTML('#root')
      await page.evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
      )
      return (
        (await page.locator('[aria-busy="true"], [data-settled="false"]').count()) === 0 &&
        before === (await page.innerHTML('#root'))
      )
    },
    { timeoutMs: 4_000, intervalMs: 120 },
  ).catch(() => undefined)

const isAskedFor = (state: string) => only.state.split(',').some((part) => state.includes(part))

async function takeAll(page: Page, variant: Variant, states: readonly ScreenState[], places: ScreenPlaces) {
  for (const state of states) {
    if (!isAskedFor(state.name)) continue
    try {
      await page.setViewportSize(state.size ?? variant.size)
      await state.open(page, places)
      // What lies under the pointer would look chosen.
      await page.mouse.move(1, variant.size.height - 1)
      await isStill(page)
      await photograph(page, state.name, variant)
      await state.close?.(page)
    } catch (error) {
      const text = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
      found.push({
        picture: `${variant.name}/${state.name}.png`,
        fault: { kind: 'outside', where: 'could not be reached', text },
      })
      await page.screenshot({ path: path.join(folder, variant.name, `${state.name}-failed.png`) })
      await page.reload()
    }
  }
}

async function takeSignedOut(browser: Browser, desk: TestDesk, variant: Variant): Promise<void> {
  const context = await browser.newContext({
    viewport: variant.size,
    colorScheme: variant.theme,
    locale: variant.language === 'zh' ? 'zh-CN' : 'en',
  })
  const page = await context.newPage()
  await page.goto(desk.origin())
  await page.locator('h1').waitFor({ timeout: PATIENCE_MS })
  await photograph(page, 'signed-out', variant)
  await context.close()
}

async function takeLost(page: Page, desk: TestDesk, variant: Variant): Promise<void> {
  await page.setViewportSize(variant.size)
  await goTo(page, '/tasks')
  await page.locator('main li button').first().waitFor({ timeout: PATIENCE_MS })
  await desk.end()
  await page.locator('#root > [role=status]').first().waitFor({ timeout: PATIENCE_MS })
  await photograph(page, 'lost-connection', variant)
  await desk.start()
}

async function main(): Promise<void> {
  const browser = await launchChromium()
  ends.push(() => browser.close())
  const [host, box, emptyHost] = [await startHost(), await startSecondHost(), await startHost()]
  ends.push(host.dispose, box.dispose, emptyHost.dispose)
  const connection = await host.connect()
  const day = await seedDay(connection)
  ends.push(day.repo.dispose)
  const desk = await startDesk({ host })
  const emptyDesk = await startDesk({ host: emptyHost })
  ends.push(desk.dispose, emptyDesk.dispose)
  const busy = await startBusyDesk()
  ends.push(busy.dispose)
  const known = await findPlaces(connection, day)
  const english = { size: SIZES[0], theme: 'light', language: 'en' } as Variant
  const first = await openWindow(browser, desk, english)
  const queued = await addAwayHosts(first, box, day.repo.path)
  const places: ScreenPlaces = { ...known, tickets: { ...known.tickets, queued }, busy: busy.places }
  await first.context().close()
  const second = await openWindow(browser, busy.desk, english)
  await busy.addHosts(second)
  await second.context().close()
  connection.close()
  const by = (which: ScreenState['desk']) => screenStates.filter((state) => state.desk === which)
  for (const variant of variants) {
    // Some of them are taken beside those that are there.
    if (only.state === '') rmSync(path.join(folder, variant.name), { recursive: true, force: true })
    mkdirSync(path.join(folder, variant.name), { recursive: true })
    const page = await openWindow(browser, desk, variant)
    await takeAll(page, variant, by('day'), places)
    if (isAskedFor('lost-connection')) await takeLost(page, desk, variant)
    await page.context().close()
    const full = await openWindow(browser, busy.desk, variant)
    await takeAll(full, variant, by('busy'), places)
    await full.context().close()
    const empty = await openWindow(browser, emptyDesk, variant)
    await takeAll(empty, variant, by('new'), places)
    await empty.context().close()
    if (isAskedFor('signed-out')) await takeSignedOut(browser, desk, variant)
    console.error(
      `${variant.name}: ${pictures.filter(({ variant: of }) => of === variant.name).length} pictures`,
    )
  }
  box.proxy.mend()
}

try {
  await main()
} finally {
  for (const end of ends.reverse()) await end()
}
for (const { picture, fault } of found)
  console.log(`${picture}  ${fault.kind}  ${fault.where}  “${fault.text}”`)
console.log(`${pictures.length} pictures, ${found.length} faults: ${writeContactSheet(folder, pictures)}`)
process.exit(found.length === 0 ? 0 : 1)
