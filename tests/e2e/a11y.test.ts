import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HostConnection } from '../../shared/node/host-client/connection.ts'
import { startHost, type TestHost } from '../support/agentd.ts'
import { chromiumForTests } from '../support/chromium.ts'
import { goTo, inboxRow, isGone, PATIENCE_MS, tabTo, ticketCard } from '../support/desk-page.ts'
import { seedDay, type SeededDay } from '../support/desk-seed.ts'
import { shellsUnderTest, startDeskUnderTest, type DeskUnderTest } from '../support/desk-under-test.ts'
import { picturesOfFailures } from '../support/failure-pictures.ts'
import { openTicket } from '../support/host-side.ts'
import { requires } from '../support/requirements.ts'
import { until } from '../support/until.ts'

const needs = requires('git', 'tmux', 'chromium')
const chromium = chromiumForTests()
const SECTIONS = ['appearance', 'notifications', 'rules', 'audit', 'shortcuts', 'terminal', 'advanced']

describe.skipIf(needs.skip).each(shellsUnderTest())(
  needs.title('the desk for everybody, in the shell %s'),
  (shell) => {
    let host: TestHost
    let desk: DeskUnderTest
    let page: Page
    let connection: HostConnection
    let day: SeededDay

    picturesOfFailures(() => page)
    beforeAll(async () => {
      host = await startHost()
      connection = await host.connect()
      day = await seedDay(connection)
      const settings = { welcomed: true, reduceMotion: true }
      desk = await startDeskUnderTest(shell, { host, chromium, settings, context: { bypassCSP: true } })
      page = await desk.page()
      await inboxRow(page, 'rm -rf').waitFor({ timeout: PATIENCE_MS })
    })
    afterAll(async () => {
      connection?.close()
      await desk?.dispose()
      await host?.dispose()
      await day?.repo.dispose()
    })

    /** What axe calls serious or critical, in words. */
    async function faults(where: string, rules?: string[]): Promise<string[]> {
      const axe = new AxeBuilder({ page })
        .setLegacyMode(true)
        // Its colours are those of the agent's program.
        .exclude('.xterm-screen')
      const { violations } = await (rules === undefined ? axe : axe.withRules(rules)).analyze()
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .flatMap(({ id, nodes }) =>
          nodes.map((node) => `${where}: ${id} at ${node.target.join(' ')}: ${node.failureSummary ?? ''}`),
        )
    }
    const isThere = () =>
      until('the screen', async () => (await page.locator('main [aria-busy="true"]').count()) === 0)
    const ticketRoute = async (task: string | undefined, text: string) =>
      `/inbox/local/${encodeURIComponent((await openTicket(connection, task ?? '', text)).id)}`

    /** Every screen, by its name. */
    async function screens(): Promise<[string, () => Promise<unknown>][]> {
      const { ids } = day
      const at = (route: string) => () => goTo(page, route)
      const task = `/tasks/local/${ids['review'] ?? ''}`
      return [
        ['dangerous', at(await ticketRoute(ids['throttle'], 'rm -rf'))],
        ['routine', at(await ticketRoute(ids['throttle'], 'npm test'))],
        ['question', at(await ticketRoute(ids['product'], 'Lock the account'))],
        ['review ticket', at(await ticketRoute(ids['review'], ''))],
        ['failed', at(`/inbox/local/${ids['crashed'] ?? ''}`)],
        ['tasks', at('/tasks')],
        ['timeline', at(task)],
        ['plan', at(`${task}/plan`)],
        ['usage', at(`${task}/usage`)],
        ['terminal', at(`/tasks/local/${ids['running'] ?? ''}/terminal`)],
        ['review', at(`${task}/changes`)],
        ['host', at('/hosts/local')],
        ...SECTIONS.map((name): [string, () => Promise<unknown>] => [name, at(`/settings/${name}`)]),
      ]
    }

    /** Every dialog: what opens it, from the inbox. */
    const dialogs: [string, () => Promise<unknown>][] = [
      ['palette', () => page.keyboard.press('Control+k')],
      ['keys', () => page.keyboard.press('?')],
      ['new task', () => page.keyboard.press('n')],
    ]

    for (const theme of ['light', 'dark'] as const)
      for (const language of ['en', 'zh'] as const)
        it(`has nothing serious against it in ${theme} and ${language}`, { timeout: 240_000 }, async () => {
          await goTo(page, '/settings/appearance')
          await page.locator('main select').nth(0).selectOption({ value: language })
          await page.locator('main select').nth(1).selectOption({ value: theme })
          await page.locator(`html[data-theme="${theme}"]`).waitFor()
          const found: string[] = []
          // Only colours differ in the dark.
          const rules = theme === 'dark' ? ['color-contrast'] : undefined
          for (const [name, open] of await screens()) {
            await open()
            await isThere()
            found.push(...(await faults(name, rules)))
          }
          await goTo(page, '/tasks')
          for (const [name, open] of dialogs) {
            await open()
            await page.getByRole('dialog').waitFor({ timeout: PATIENCE_MS })
            found.push(...(await faults(name, rules)))
            await page.keyboard.press('Escape')
            await isGone(page.getByRole('dialog'))
          }
          expect(found).toEqual([])
        })

    it('is used with the keyboard alone', async () => {
      await goTo(page, '/settings/appearance')
      await page.locator('main select').nth(0).selectOption({ value: 'en' })
      for (const [key, heading] of [
        ['2', 'Tasks'],
        ['3', 'Hosts'],
        ['4', 'Settings'],
      ] as const) {
        await page.keyboard.press(`Control+${key}`)
        await page.getByRole('heading', { name: heading, level: 1 }).waitFor({ timeout: PATIENCE_MS })
      }
      await page.keyboard.press('Control+1')
      const list = page.getByRole('listbox')
      await list.waitFor({ timeout: PATIENCE_MS })
      await tabTo(page, 'Everything that waits')
      await page.keyboard.press('Home')
      const first = await until('a row', () => ticketCard(page).getAttribute('data-ticket'))
      await page.keyboard.press('ArrowDown')
      await until('another row', async () => {
        const now = await ticketCard(page).getAttribute('data-ticket')
        return now !== null && now !== first
      })
      await page.keyboard.press('Enter')
      await until('the card to have the keyboard', () =>
        page.evaluate(() => document.activeElement?.matches('section') === true),
      )
      await page.keyboard.press('Tab')
      expect(
        await page.evaluate(() => document.activeElement?.closest('section[data-ticket]') !== null),
      ).toBe(true)
    })

    it('reaches every part of a task and a review with Tab, and shows where the keyboard is', async () => {
      await goTo(page, `/tasks/local/${day.ids['review'] ?? ''}`)
      await page.getByRole('tab', { name: 'Timeline' }).waitFor({ timeout: PATIENCE_MS })
      await page.getByText('Skip to the content').focus()
      await tabTo(page, 'Timeline')
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('Enter')
      await page.getByRole('region', { name: 'Changed files' }).first().waitFor({ timeout: PATIENCE_MS })
      await page.getByText('3 files').waitFor({ timeout: PATIENCE_MS })
      await page.keyboard.press('v')
      await page.getByText('1 viewed').waitFor({ timeout: PATIENCE_MS })
      await page.keyboard.press('v')
      await tabTo(page, 'General instruction')
      await page.keyboard.type('Smaller, please.')
      await page.keyboard.press('Control+Enter')
      const dialog = page.getByRole('dialog')
      await dialog.waitFor({ timeout: PATIENCE_MS })
      expect(await page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null)).toBe(true)
      await page.keyboard.press('Escape')
      await isGone(dialog)
    })

    it('asks before what cannot be undone, with the keyboard on nothing that does it', async () => {
      await goTo(page, `/tasks/local/${day.ids['running'] ?? ''}`)
      await page.getByRole('button', { name: 'More for this task' }).click({ timeout: PATIENCE_MS })
      await page.getByRole('menuitem', { name: 'Cancel the task…' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.waitFor()
      const focused = await page.evaluate(() => {
        const at = document.activeElement
        return at?.matches('button') === true ? at.textContent : ''
      })
      expect(focused).not.toContain('Cancel the task')
      await page.keyboard.press('Escape')
      await isGone(dialog)
    })
  },
)
