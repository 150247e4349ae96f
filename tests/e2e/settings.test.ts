import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HostConnection } from '../../shared/node/host-client/connection.ts'
import { dispatchDemo, requestId, startHost, type TestHost } from '../support/agentd.ts'
import { chromiumForTests } from '../support/chromium.ts'
import { clickToDecide, goTo, isGone, openRow, PATIENCE_MS, reads } from '../support/desk-page.ts'
import { shellsUnderTest, startDeskUnderTest, type DeskUnderTest } from '../support/desk-under-test.ts'
import { picturesOfFailures } from '../support/failure-pictures.ts'
import { openTicket, settledTicket } from '../support/host-side.ts'
import { createRepository, type TestRepository } from '../support/repository.ts'
import { requires } from '../support/requirements.ts'
import { until } from '../support/until.ts'

const needs = requires('git', 'tmux', 'chromium')
const chromium = chromiumForTests()

describe.skipIf(needs.skip).each(shellsUnderTest())(needs.title('the settings, in the shell %s'), (shell) => {
  let host: TestHost
  let desk: DeskUnderTest
  let page: Page
  let connection: HostConnection
  let repo: TestRepository

  picturesOfFailures(() => page)
  beforeAll(async () => {
    ;[host, repo] = await Promise.all([startHost(), createRepository()])
    desk = await startDeskUnderTest(shell, { host, chromium, settings: { welcomed: true } })
    page = await desk.page()
    connection = await host.connect()
    await page.getByLabel('Sections').getByText('This computer').waitFor({ timeout: PATIENCE_MS })
  })
  afterAll(async () => {
    connection?.close()
    await desk?.dispose()
    await host?.dispose()
    await repo?.dispose()
  })

  it('list what was allowed for good, and take it back', async () => {
    const command = 'node --test a.test.mjs'
    const { id: task } = await dispatchDemo(
      connection,
      repo.path,
      `demo: ask-permission ${command}\ndemo: sleep 1\ndemo: ask-permission echo between\ndemo: ask-permission ${command}\ndemo: no-trailer`,
    )
    const first = await openTicket(connection, task, command)
    const card = await openRow(page, command)
    await card.getByRole('button', { name: 'Remember…' }).click()
    await card.getByRole('radio', { name: /For this repository/ }).check()
    await clickToDecide(card.getByRole('button', { name: 'Save and approve' }))
    await settledTicket(connection, first.id)
    const between = await openTicket(connection, task, 'echo between')
    await goTo(page, '/settings/rules')
    const rule = page.getByRole('listitem').filter({ hasText: 'node --test' })
    await reads(rule, /one repository/)
    await reads(rule, 'not used yet')
    await rule.getByRole('button', { name: 'Revoke' }).click()
    await reads(rule, 'Revoke it? The agent will ask again.')
    await rule.getByRole('button', { name: 'Revoke' }).click()
    await reads(page, 'No rules yet.')
    await goTo(page, '/inbox')
    await clickToDecide((await openRow(page, 'echo between')).getByRole('button', { name: 'Approve once' }))
    await settledTicket(connection, between.id)
    await openTicket(connection, task, command)
    await connection.call('task.cancel', { requestId: requestId(), task })
  })

  it('show every decision: by whom, and on which exact text', async () => {
    await goTo(page, '/settings/audit')
    const table = page.getByRole('table')
    await table.getByRole('row').filter({ hasText: 'echo between' }).first().waitFor({ timeout: PATIENCE_MS })
    await page.getByRole('searchbox', { name: 'Filter' }).fill('echo between')
    await isGone(table.getByRole('row').filter({ hasText: 'made a token' }))
    await table.getByRole('row').filter({ hasText: 'echo between' }).first().waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save as a file' }).click()
    expect((await download).suggestedFilename()).toMatch(/^handoff-audit-local-.*\.jsonl$/)
  })

  it('change the colours at once', async () => {
    await goTo(page, '/settings/appearance')
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    await page.getByLabel('Colours').selectOption({ label: 'Light' })
    await until('a light page', async () => (await ground()) === 'rgb(255, 255, 255)')
    await page.getByLabel('Colours').selectOption({ label: 'Dark' })
    await until('a dark page', async () => (await ground()) === 'rgb(29, 29, 27)')
  })

  it('speak 简体中文 everywhere, at once and after a new start', async () => {
    await page.getByLabel('Language').selectOption({ label: '简体中文' })
    const nav = page.getByRole('navigation').first()
    await nav.getByRole('button', { name: '收件箱' }).waitFor({ timeout: PATIENCE_MS })
    expect(await page.evaluate(() => document.documentElement.lang)).toMatch(/^zh/)
    for (const route of [
      '/inbox',
      '/tasks',
      '/hosts',
      '/hosts/local',
      '/settings/appearance',
      '/settings/rules',
    ]) {
      await goTo(page, route)
      await page.locator('main h1, main h2').first().waitFor({ timeout: PATIENCE_MS })
      expect([route, englishSentences(await page.innerText('body'))]).toEqual([route, []])
    }
    await desk.end()
    await desk.start()
    page = await desk.page()
    await page.getByRole('navigation').first().getByRole('button', { name: '收件箱' }).waitFor({
      timeout: PATIENCE_MS,
    })
    await goTo(page, '/settings/appearance')
    await page.locator('main select').first().selectOption({ label: 'English' })
    await page.getByRole('navigation').first().getByRole('button', { name: 'Inbox' }).waitFor()
    await isGone(page.getByText('收件箱'))
  })
})

/** Lines that are a sentence of English: four or more words of it. Names, paths and commands are not. */
function englishSentences(text: string): string[] {
  return text.split('\n').filter((line) => /\b[A-Za-z]+ [a-z]+ [a-z]+ [a-z]+\b/.test(line))
}
