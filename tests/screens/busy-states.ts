import type { Page } from 'playwright-core'
import { goTo, PATIENCE_MS } from '../support/desk-page.ts'
import { LONG_HOST, type BusyPlaces } from './busy.ts'
import type { ScreenState } from './states.ts'

const INSTALL_MS = 120_000
const escape = (page: Page) => page.keyboard.press('Escape')
const at = (name: string, route: (busy: BusyPlaces) => string): ScreenState => ({
  name,
  desk: 'busy',
  open: (page, { busy }) => goTo(page, route(busy)),
})

const setDensity = async (page: Page, density: 'compact' | 'comfortable'): Promise<void> => {
  await goTo(page, '/settings/appearance')
  await page.locator('main select').nth(2).selectOption({ value: density }, { timeout: PATIENCE_MS })
  await page.locator(`html[data-density="${density}"]`).waitFor()
}

/** Starts an installation on the page of a host: the first button of the section after its heading. */
const install = async (page: Page): Promise<void> => {
  await goTo(page, '/hosts/devbox')
  const button = page.locator('main h3 ~ div > button').first()
  await button.scrollIntoViewIfNeeded({ timeout: PATIENCE_MS })
  await page
    .locator('main')
    .getByRole('button')
    .filter({ hasNot: page.locator('svg') })
    .first()
    .waitFor()
  await button.click()
}

/** Pictures of a desk where everything comes at once. */
export const busyStates: readonly ScreenState[] = [
  at('inbox-many', () => '/inbox'),
  {
    name: 'inbox-many-end',
    desk: 'busy',
    async open(page, { busy }) {
      await goTo(page, busy.edit)
      await page.getByRole('listbox').press('End')
      await page.locator('main section h2').first().waitFor({ timeout: PATIENCE_MS })
    },
  },
  at('inbox-edit', ({ edit }) => edit),
  at('inbox-long-names', ({ long }) => long),
  {
    name: 'inbox-compact',
    desk: 'busy',
    async open(page) {
      await setDensity(page, 'compact')
      await goTo(page, '/inbox')
      await page.locator('main section h2').first().waitFor({ timeout: PATIENCE_MS })
    },
  },
  {
    name: 'task-compact',
    desk: 'busy',
    open: (page, { busy }) => goTo(page, busy.wide),
    close: (page) => setDensity(page, 'comfortable'),
  },
  at('task-command-failed', ({ wide }) => wide),
  at('task-plan-long', ({ wide }) => `${wide}/plan`),
  {
    name: 'review-many-files',
    desk: 'busy',
    async open(page, { busy }) {
      await goTo(page, `${busy.wide}/changes`)
      await page.locator('main [data-index]').first().waitFor({ timeout: PATIENCE_MS })
    },
  },
  at('hosts-long-name', () => `/hosts/${LONG_HOST}`),
  at('inbox-stalled', ({ stalled }) => stalled),
  at('inbox-executor-offline', ({ offline }) => offline),
  {
    name: 'inbox-cancel',
    desk: 'busy',
    async open(page, { busy }) {
      await goTo(page, busy.offline)
      await page.locator('main section button').last().click({ timeout: PATIENCE_MS })
    },
  },
  at('hosts-too-old', () => '/hosts/old-box'),
  {
    name: 'hosts-install-running',
    desk: 'busy',
    async open(page) {
      await install(page)
      await page.locator('main ol li').nth(1).waitFor({ timeout: PATIENCE_MS })
    },
  },
  {
    name: 'hosts-install-done',
    desk: 'busy',
    async open(page) {
      const steps = page.locator('main ol')
      await steps.locator('li:last-child time').waitFor({ timeout: INSTALL_MS })
      await steps.scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'hosts-add-failed',
    desk: 'busy',
    async open(page) {
      await goTo(page, '/hosts')
      await page.locator('main header button').first().click({ timeout: PATIENCE_MS })
      const dialog = page.getByRole('dialog')
      await dialog.locator('input').first().fill(`nobody@127.0.0.1:9`)
      await dialog.locator('input').nth(1).fill('nas')
      await dialog.locator('footer button, button').last().click()
      await dialog.locator('ol button').first().waitFor({ timeout: INSTALL_MS })
    },
    async close(page) {
      await escape(page)
      await goTo(page, '/hosts/nas')
      await page.locator('main button').last().click({ timeout: PATIENCE_MS })
      await page.getByRole('dialog').locator('button').last().click()
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    },
  },
  at('tasks-many', () => '/tasks'),
]
