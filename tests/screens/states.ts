import type { Page } from 'playwright-core'
import { goTo, PATIENCE_MS, ticketCard } from '../support/desk-page.ts'
import { busyStates } from './busy-states.ts'
import type { ScreenPlaces } from './places.ts'

/** One picture: which screen in which state, and how a person gets there from an open window. */
export interface ScreenState {
  name: string
  /** `day`: a desk in use. `busy`: one where everything comes at once. `new`: one that was just installed. */
  desk: 'day' | 'busy' | 'new'
  /** For what is no window of that size: the tray's own. */
  size?: { width: number; height: number }
  open(page: Page, places: ScreenPlaces): Promise<unknown>
  /** Leaves what was opened. */
  close?(page: Page): Promise<unknown>
}

const escape = (page: Page) => page.keyboard.press('Escape')
/** As large as the window that the tray opens. */
const TRAY = { width: 380, height: 520 }
const at = (name: string, route: (places: ScreenPlaces) => string): ScreenState => ({
  name,
  desk: 'day',
  open: (page, places) => goTo(page, route(places)),
})
const ticket = (name: string, which: keyof ScreenPlaces['tickets']): ScreenState =>
  at(name, ({ tickets }) => tickets[which])

/** A button of the open ticket by its number from the left, in whatever language. */
const ticketButton = (page: Page, number: number) => ticketCard(page).locator('button:visible').nth(number)

const DIALOG_KEYS: [name: string, keys: string][] = [
  ['palette', 'Control+k'],
  ['keys', '?'],
  ['new-task', 'n'],
]

const inbox: ScreenState[] = [
  ticket('inbox-dangerous', 'dangerous'),
  ticket('inbox-routine', 'routine'),
  ticket('inbox-question', 'product'),
  ticket('inbox-question-open', 'technical'),
  ticket('inbox-review', 'review'),
  ticket('inbox-long-command', 'long'),
  ticket('inbox-answered-elsewhere', 'answered'),
  ticket('inbox-expired', 'expired'),
  ticket('inbox-queued', 'queued'),
  at('inbox-failed', ({ failed }) => failed),
  at('inbox-gone', () => '/inbox/local/00000000-0000-4000-8000-000000000000:p1'),
  {
    name: 'inbox-filtered',
    desk: 'day',
    async open(page) {
      await goTo(page, '/inbox')
      await page.locator('main header input').fill('nothing has these words')
      await page.locator('main strong').waitFor({ timeout: PATIENCE_MS })
    },
    close: (page) => page.locator('main header input').fill(''),
  },
  {
    name: 'inbox-menu',
    desk: 'day',
    async open(page, { tickets }) {
      await goTo(page, tickets.routine)
      await page.locator('main header button').first().click({ timeout: PATIENCE_MS })
      await page.getByRole('menu').waitFor()
    },
    close: escape,
  },
  {
    name: 'inbox-deny',
    desk: 'day',
    async open(page, { tickets }) {
      await goTo(page, tickets.routine)
      await ticketButton(page, 2).click({ timeout: PATIENCE_MS })
      await ticketCard(page).locator('textarea').waitFor()
    },
    close: escape,
  },
  {
    name: 'inbox-remember',
    desk: 'day',
    async open(page, { tickets }) {
      await goTo(page, tickets.routine)
      await ticketButton(page, 1).click({ timeout: PATIENCE_MS })
      await ticketCard(page).locator('input[type=radio]').first().waitFor()
    },
    close: escape,
  },
  {
    name: 'inbox-terminal',
    desk: 'day',
    async open(page, { tickets }) {
      await goTo(page, tickets.dangerous)
      await page.getByRole('tab').nth(2).click({ timeout: PATIENCE_MS })
      await page.locator('[data-kind="live"]').waitFor({ timeout: PATIENCE_MS })
    },
  },
]

const tasks: ScreenState[] = [
  at('tasks', () => '/tasks'),
  at('task-timeline', ({ review }) => review),
  at('task-plan', ({ review }) => `${review}/plan`),
  at('task-usage', ({ review }) => `${review}/usage`),
  at('task-running', ({ running }) => running),
  at('task-failed', ({ crashed }) => crashed),
  {
    name: 'task-terminal',
    desk: 'day',
    async open(page, { running }) {
      await goTo(page, `${running}/terminal`)
      await page.locator('[data-kind="live"]').waitFor({ timeout: PATIENCE_MS })
    },
  },
  {
    name: 'task-terminal-keyboard',
    desk: 'day',
    async open(page, { running }) {
      await goTo(page, `${running}/terminal`)
      await page.locator('[data-kind="live"]').waitFor({ timeout: PATIENCE_MS })
      await page.keyboard.press('Control+Shift+Enter')
      await page.locator('.xterm-helper-textarea:focus').waitFor({ state: 'attached', timeout: PATIENCE_MS })
    },
    close: (page) => page.keyboard.press('Control+Shift+Enter'),
  },
  {
    name: 'task-menu',
    desk: 'day',
    async open(page, { review }) {
      await goTo(page, review)
      await page.locator('main button[aria-haspopup=menu]').last().click({ timeout: PATIENCE_MS })
      await page.getByRole('menu').waitFor()
    },
    close: escape,
  },
  {
    name: 'task-continue',
    desk: 'day',
    async open(page, { review }) {
      await goTo(page, review)
      await page
        .locator('main section > header > button:not([aria-haspopup])')
        .click({ timeout: PATIENCE_MS })
      await page.getByRole('dialog').waitFor()
    },
    close: escape,
  },
  at('task-gone', () => '/tasks/local/00000000-0000-4000-8000-000000000000'),
]

const isDiffThere = (page: Page) =>
  page.locator('main [data-index]').first().waitFor({ timeout: PATIENCE_MS })

const review: ScreenState[] = [
  {
    name: 'review-loading',
    desk: 'day',
    async open(page, places) {
      await goTo(page, '/tasks')
      await goTo(page, `${places.review}/changes`)
      await page.locator('main footer').waitFor({ timeout: PATIENCE_MS })
    },
  },
  {
    name: 'review',
    desk: 'day',
    async open(page, places) {
      await goTo(page, `${places.review}/changes`)
      await isDiffThere(page)
    },
  },
  {
    name: 'review-rounds',
    desk: 'day',
    async open(page, places) {
      await goTo(page, `${places.review}/changes`)
      await page.locator('main header select').selectOption('2', { timeout: PATIENCE_MS })
      await isDiffThere(page)
    },
    close: (page) => page.locator('main header select').selectOption(''),
  },
  {
    name: 'review-comments',
    desk: 'day',
    async open(page, places) {
      await goTo(page, `${places.review}/changes`)
      if ((await page.locator('main p b').count()) === 0) {
        await page.locator('main [data-index] button[tabindex="-1"]:not([aria-hidden])').nth(6).click()
        await page
          .locator('main [data-index] textarea')
          .fill('A cell that starts with = + - @ is a formula in a spreadsheet. 表格会把它当作公式。')
        await page.keyboard.press('Control+Enter')
      }
      await page.locator('main footer textarea').fill('Keep it small.')
    },
  },
  {
    name: 'review-preview',
    desk: 'day',
    async open(page, places) {
      await goTo(page, `${places.review}/changes`)
      await page.locator('main footer textarea').fill('Keep it small.')
      await page.locator('main footer button').nth(0).click()
      await page.getByRole('dialog').waitFor()
    },
    close: escape,
  },
  {
    name: 'review-finish',
    desk: 'day',
    async open(page, places) {
      await goTo(page, `${places.review}/changes`)
      await isDiffThere(page)
      await page.locator('main footer button').nth(1).click({ timeout: PATIENCE_MS })
      await page.getByRole('dialog').waitFor()
    },
    close: escape,
  },
  {
    name: 'review-run',
    desk: 'day',
    async open(page, places) {
      await goTo(page, `${places.review}/changes`)
      await page.locator('main header > button[aria-pressed]').click({ timeout: PATIENCE_MS })
      await page.locator('main form input').fill('git log --oneline')
      await page.keyboard.press('Enter')
      await page.locator('main pre').filter({ hasText: 'start' }).waitFor({ timeout: PATIENCE_MS })
    },
    close: (page) => page.locator('main header > button[aria-pressed]').click(),
  },
  ...(['split', 'unified'] as const).map((layout, index): ScreenState => ({
    name: `review-${layout}`,
    desk: 'day',
    async open(page, places) {
      await goTo(page, `${places.review}/changes`)
      await page.locator('main header button[aria-haspopup=menu]').click({ timeout: PATIENCE_MS })
      await page
        .getByRole('menuitem')
        .nth(1 - index)
        .click()
    },
  })),
]

const rest: ScreenState[] = [
  {
    name: 'hosts-local',
    desk: 'day',
    async open(page) {
      await goTo(page, '/hosts/local')
      await page.locator('main dl').waitFor({ timeout: PATIENCE_MS })
    },
  },
  at('hosts-offline', () => '/hosts/box'),
  at('hosts-refused', () => '/hosts/gpu-1'),
  {
    name: 'hosts-add',
    desk: 'day',
    async open(page) {
      await goTo(page, '/hosts')
      await page.locator('main header button').first().click({ timeout: PATIENCE_MS })
      await page.getByRole('dialog').locator('input').first().fill('devbox')
    },
    close: escape,
  },
  ...['appearance', 'notifications', 'rules', 'audit', 'shortcuts', 'terminal', 'advanced'].map((name) =>
    at(`settings-${name}`, () => `/settings/${name}`),
  ),
  ...DIALOG_KEYS.map(([name, keys]): ScreenState => ({
    name,
    desk: 'day',
    async open(page) {
      await goTo(page, '/tasks')
      await page.keyboard.press(keys)
      await page.getByRole('dialog').waitFor({ timeout: PATIENCE_MS })
    },
    close: escape,
  })),
  {
    name: 'new-task-problems',
    desk: 'day',
    async open(page, { repo }) {
      await goTo(page, '/tasks')
      await page.keyboard.press('n')
      const dialog = page.getByRole('dialog')
      await dialog.locator('textarea').fill('# Export to Excel as well\n\n- one sheet per table')
      await dialog.locator('input').first().fill(`${repo}/not-there`)
      await dialog.locator('p[role=status]').first().waitFor({ timeout: PATIENCE_MS })
    },
    close: escape,
  },
  {
    name: 'new-task-uncommitted',
    desk: 'day',
    async open(page, { repo }) {
      await goTo(page, '/tasks')
      await page.keyboard.press('n')
      const dialog = page.getByRole('dialog')
      await dialog.locator('textarea').fill('# Export to Excel as well\n\n- one sheet per table')
      await dialog.locator('input').first().fill(repo)
      await dialog.locator('input[type=checkbox]').waitFor({ timeout: PATIENCE_MS })
    },
    close: escape,
  },
  { ...at('tray', () => '/tray'), size: TRAY },
]

/** Of a desk where nothing has happened yet, and at last one where everything happens at once. */
const fresh: ScreenState[] = [
  { name: 'new-welcome', desk: 'new', open: (page) => goTo(page, '/inbox') },
  { name: 'new-tasks', desk: 'new', open: (page) => goTo(page, '/tasks') },
  { name: 'new-rules', desk: 'new', open: (page) => goTo(page, '/settings/rules') },
  { name: 'new-tray', desk: 'new', size: TRAY, open: (page) => goTo(page, '/tray') },
  {
    name: 'new-host',
    desk: 'new',
    async open(page) {
      await goTo(page, '/hosts/local')
      await page.locator('main dl').waitFor({ timeout: PATIENCE_MS })
    },
  },
]

/** Every picture, in the order in which they are taken. */
export const screenStates: readonly ScreenState[] = [
  ...inbox,
  ...tasks,
  ...review,
  ...rest,
  ...busyStates,
  ...fresh,
]
