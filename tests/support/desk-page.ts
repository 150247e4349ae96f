import type { Locator, Page } from 'playwright-core'
import { until } from './until.ts'

/** How long a screen may take to show what it should; the machine may be busy with other tests. */
export const PATIENCE_MS = 60_000

/** `until` with the patience that a whole desk needs. */
export function eventually<T>(what: string, probe: () => T | Promise<T>): Promise<NonNullable<T>> {
  return until(what, probe, { timeoutMs: PATIENCE_MS })
}

/** The card of a ticket; without an id the one that is open. */
export function ticketCard(page: Page, ticketId?: string): Locator {
  return page.locator(ticketId === undefined ? 'section[data-ticket]' : `section[data-ticket="${ticketId}"]`)
}

/** A row of the inbox with these words. */
export function inboxRow(page: Page, text: string | RegExp): Locator {
  return page.getByRole('option').filter({ hasText: text })
}

/** A section's button in the sidebar, with its number. */
export function section(page: Page, name: string): Locator {
  return page.getByRole('navigation').first().getByRole('button', { name })
}

/** Waits until words can be read somewhere. */
export async function reads(scope: Page | Locator, text: string | RegExp): Promise<void> {
  await scope.getByText(text).first().waitFor({ timeout: PATIENCE_MS })
}

/** Waits until a locator finds nothing that can be seen. */
export async function isGone(locator: Locator): Promise<void> {
  await locator.first().waitFor({ state: 'hidden', timeout: PATIENCE_MS })
}

/** The number beside a section; 0 when there is none. */
export async function badgeOf(page: Page, name: string): Promise<number> {
  const text = await section(page, name).locator('b').allTextContents()
  return Number(text[0] ?? 0)
}

/** Waits for the number beside a section. */
export async function badgeBecomes(page: Page, name: string, wanted: number): Promise<void> {
  await eventually(
    `the number of ${name} to be ${wanted}`,
    async () => (await badgeOf(page, name)) === wanted,
  )
}

/**
 * Opens a row of the inbox and waits for its card, which has the same words unless told. Answers the card of that ticket, which
 * stays the same when others open.
 */
export async function openRow(page: Page, text: string | RegExp, onCard = text): Promise<Locator> {
  await inboxRow(page, text).first().click({ timeout: PATIENCE_MS })
  const open = ticketCard(page).filter({ hasText: onCard })
  await open.waitFor({ timeout: PATIENCE_MS })
  return ticketCard(page, (await open.getAttribute('data-ticket')) ?? '')
}

/**
 * Presses something that decides, again and again until `done`: a press in the first moment after a ticket came up is meant to
 * be without effect. `act` must have no other effect once it is done.
 */
export async function decides(act: () => Promise<unknown>, done: () => Promise<boolean>): Promise<void> {
  await until(
    'the decision to be taken',
    async () => {
      if (await done()) return true
      await act()
      return until('its effect', done, { timeoutMs: 1_500 })
    },
    { timeoutMs: PATIENCE_MS },
  )
}

/** Clicks a button that decides, until it has gone. */
export async function clickToDecide(button: Locator): Promise<void> {
  await button.waitFor({ timeout: PATIENCE_MS })
  await decides(
    () => button.click({ timeout: 2_000 }),
    async () => !(await button.isVisible()),
  )
}

/** Holds a button down with the mouse until it has gone. */
export async function holdToDecide(page: Page, button: Locator): Promise<void> {
  await button.waitFor({ timeout: PATIENCE_MS })
  await decides(
    async () => {
      await button.hover({ timeout: 2_000 })
      await page.mouse.down()
      await until('the hold to count', async () => !(await button.isVisible()), { timeoutMs: 4_000 }).finally(
        () => page.mouse.up(),
      )
    },
    async () => !(await button.isVisible()),
  )
}

/** Presses Tab until what has the keyboard has these words, and says how often. */
export async function tabTo(page: Page, words: string | RegExp, most = 60): Promise<number> {
  for (let count = 1; count <= most; count += 1) {
    await page.keyboard.press('Tab')
    const label = await page.evaluate(() => {
      const at = document.activeElement
      return at === null ? '' : `${at.getAttribute('aria-label') ?? ''} ${at.textContent}`
    })
    if (typeof words === 'string' ? label.includes(words) : words.test(label)) return count
  }
  throw new Error(`Tab does not reach ${String(words)}.`)
}

/** Goes to a route of the window, as a link would. */
export async function goTo(page: Page, route: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = to
  }, route)
}
