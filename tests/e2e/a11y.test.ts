import { AxeBuilder } from '@axe-core/playwright'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deskSuite, type DeskSuiteOptions } from '../support/desk-suite.ts'
import { eventually, goTo, inboxRow, isGone, PATIENCE_MS, tabTo, ticketCard } from '../support/desk-page.ts'
import { seedDay, type SeededDay } from '../support/desk-seed.ts'
import { openTicket } from '../support/host-side.ts'

const options: DeskSuiteOptions = { settings: { reduceMotion: true }, bypassCsp: true }
const SECTIONS = ['appearance', 'notifications', 'rules', 'audit', 'shortcuts', 'terminal', 'advanced']

/**
 * Everything is measured once. In the other colours and the other language only what differs with them: colours, and names.
 * Both shells show the same pages, so the second one is measured by the shorter list.
 */
const everyVariant = [
  { theme: 'light', language: 'en', rules: undefined },
  {
    theme: 'dark',
    language: 'zh',
    rules: [
      'color-contrast',
      'html-has-lang',
      'html-lang-valid',
      'valid-lang',
      'document-title',
      'button-name',
      'link-name',
      'label',
      'select-name',
      'image-alt',
      'role-img-alt',
      'svg-img-alt',
      'aria-command-name',
      'aria-dialog-name',
      'aria-input-field-name',
      'aria-toggle-field-name',
      'aria-tooltip-name',
    ],
  },
]

deskSuite('the desk for everybody', options, (desk) => {
  const variants = desk.shell === 'browser' ? everyVariant : everyVariant.slice(1)
  let day: SeededDay
  beforeAll(async () => {
    day = await seedDay(desk.local)
    await inboxRow(desk.page, 'rm -rf').waitFor({ timeout: PATIENCE_MS })
  })
  afterAll(() => day?.repo.dispose())

  /** What axe calls serious or critical, in words. */
  async function faults(where: string, rules?: string[]): Promise<string[]> {
    const axe = new AxeBuilder({ page: desk.page })
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
  async function isThere(): Promise<void> {
    // What stood there before is gone with the next picture.
    await desk.page.evaluate(
      () =>
        new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
    )
    // Buttons are pale while they take no press yet.
    const busy = desk.page.locator('main [aria-busy="true"], main [data-settled="false"]')
    await eventually('the screen', async () => (await busy.count()) === 0)
    await desk.page.waitForFunction(() =>
      document.getAnimations().every((one) => !(one instanceof CSSTransition)),
    )
  }
  const ticketRoute = async (task: string | undefined, text: string) =>
    `/inbox/local/${encodeURIComponent((await openTicket(desk.local, task ?? '', text)).id)}`

  /** Every screen, by its name. */
  async function screens(): Promise<[string, () => Promise<unknown>][]> {
    const { ids } = day
    const at = (route: string) => () => goTo(desk.page, route)
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

  const opens = (route: string, button: RegExp) => async () => {
    await goTo(desk.page, route)
    await desk.page.locator('main').getByRole('button', { name: button }).click({ timeout: PATIENCE_MS })
  }
  /** Every dialog: what opens it. */
  const dialogs: [string, () => Promise<unknown>][] = [
    ['palette', () => desk.page.keyboard.press('Control+k')],
    ['keys', () => desk.page.keyboard.press('?')],
    ['new task', () => desk.page.keyboard.press('n')],
    ['add a host', opens('/hosts', /Add a host…|添加主机…/)],
  ]

  it.each(variants)('has nothing serious against it in $theme and $language', async (variant) => {
    const { theme, language, rules } = variant
    await goTo(desk.page, '/settings/appearance')
    await desk.page.locator('main select').nth(0).selectOption({ value: language })
    await desk.page.locator('main select').nth(1).selectOption({ value: theme })
    await desk.page.locator(`html[data-theme="${theme}"][lang^="${language}"]`).waitFor()
    const found: string[] = []
    for (const [name, open] of await screens()) {
      await open()
      await isThere()
      found.push(...(await faults(name, rules)))
    }
    for (const [name, open] of dialogs) {
      await open()
      await desk.page.getByRole('dialog').waitFor({ timeout: PATIENCE_MS })
      found.push(...(await faults(name, rules)))
      await desk.page.keyboard.press('Escape')
      await isGone(desk.page.getByRole('dialog'))
    }
    expect(found).toEqual([])
  })

  it('is used with the keyboard alone', async () => {
    await goTo(desk.page, '/settings/appearance')
    await desk.page.locator('main select').nth(0).selectOption({ value: 'en' })
    for (const [key, heading] of [
      ['2', 'Tasks'],
      ['3', 'Hosts'],
      ['4', 'Settings'],
    ] as const) {
      await desk.page.keyboard.press(`Control+${key}`)
      await desk.page.getByRole('heading', { name: heading, level: 1 }).waitFor({ timeout: PATIENCE_MS })
    }
    await desk.page.keyboard.press('Control+1')
    const list = desk.page.getByRole('listbox')
    await list.waitFor({ timeout: PATIENCE_MS })
    await tabTo(desk.page, 'Everything that waits')
    await desk.page.keyboard.press('Home')
    const first = await eventually('a row', () => ticketCard(desk.page).getAttribute('data-ticket'))
    await desk.page.keyboard.press('ArrowDown')
    await eventually('another row', async () => {
      const now = await ticketCard(desk.page).getAttribute('data-ticket')
      return now !== null && now !== first
    })
    await desk.page.keyboard.press('Enter')
    await eventually('the card to have the keyboard', () =>
      desk.page.evaluate(() => document.activeElement?.matches('section') === true),
    )
    await desk.page.keyboard.press('Tab')
    expect(
      await desk.page.evaluate(() => document.activeElement?.closest('section[data-ticket]') !== null),
    ).toBe(true)
  })

  it('reaches every part of a task and a review with Tab, and shows where the keyboard is', async () => {
    await goTo(desk.page, `/tasks/local/${day.ids['review'] ?? ''}`)
    await desk.page.getByRole('tab', { name: 'Timeline' }).waitFor({ timeout: PATIENCE_MS })
    await desk.page.getByText('Skip to the content').focus()
    await tabTo(desk.page, 'Timeline')
    await desk.page.keyboard.press('ArrowRight')
    // The focus moves a turn of the event loop after the key.
    await desk.page
      .getByRole('tab', { name: 'Changes' })
      .and(desk.page.locator(':focus'))
      .waitFor({ timeout: PATIENCE_MS })
    await desk.page.keyboard.press('Enter')
    await desk.page.getByRole('region', { name: 'Changed files' }).first().waitFor({ timeout: PATIENCE_MS })
    await desk.page.getByText('3 files').waitFor({ timeout: PATIENCE_MS })
    await desk.page.keyboard.press('v')
    await desk.page.getByText('1 viewed').waitFor({ timeout: PATIENCE_MS })
    await desk.page.keyboard.press('v')
    await tabTo(desk.page, 'General instruction')
    await desk.page.keyboard.type('Smaller, please.')
    await desk.page.keyboard.press('Control+Enter')
    const dialog = desk.page.getByRole('dialog')
    await dialog.waitFor({ timeout: PATIENCE_MS })
    expect(await desk.page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null)).toBe(
      true,
    )
    await desk.page.keyboard.press('Escape')
    await isGone(dialog)
  })

  it('asks before what cannot be undone, with the keyboard on nothing that does it', async () => {
    await goTo(desk.page, `/tasks/local/${day.ids['running'] ?? ''}`)
    await desk.page.getByRole('button', { name: 'More for this task' }).click({ timeout: PATIENCE_MS })
    await desk.page.getByRole('menuitem', { name: 'Cancel the task…' }).click()
    const dialog = desk.page.getByRole('dialog')
    await dialog.waitFor()
    const focused = await desk.page.evaluate(() => {
      const at = document.activeElement
      return at?.matches('button') === true ? at.textContent : ''
    })
    expect(focused).not.toContain('Cancel the task')
    await desk.page.keyboard.press('Escape')
    await isGone(dialog)
  })
})
