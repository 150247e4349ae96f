import { expect, it } from 'vitest'
import { deskSuite } from '../support/desk-suite.ts'
import { eventually, clickToDecide, goTo, isGone, openRow, PATIENCE_MS, reads } from '../support/desk-page.ts'
import { openTicket, settledTicket } from '../support/host-side.ts'

deskSuite('the settings', {}, (desk) => {
  it('list what was allowed for good, and take it back', async () => {
    const command = 'node --test a.test.mjs'
    const task = await desk.dispatch('Rules', [
      `ask-permission ${command}`,
      'sleep 1',
      'ask-permission echo between',
      `ask-permission ${command}`,
      'no-trailer',
    ])
    const first = await openTicket(desk.local, task, command)
    const card = await openRow(desk.page, command)
    await card.getByRole('button', { name: 'Remember…' }).click()
    await card.getByRole('radio', { name: /For this repository/ }).check()
    await clickToDecide(card.getByRole('button', { name: 'Save and approve' }))
    await settledTicket(desk.local, first.id)
    const between = await openTicket(desk.local, task, 'echo between')
    await goTo(desk.page, '/settings/rules')
    const rule = desk.page.getByRole('listitem').filter({ hasText: 'node --test' })
    await reads(rule, /one repository/)
    await reads(rule, 'not used yet')
    await rule.getByRole('button', { name: 'Revoke' }).click()
    await reads(rule, 'Revoke it? The agent will ask again.')
    await rule.getByRole('button', { name: 'Revoke' }).click()
    await reads(desk.page, 'No rules yet.')
    await goTo(desk.page, '/inbox')
    await clickToDecide(
      (await openRow(desk.page, 'echo between')).getByRole('button', { name: 'Approve once' }),
    )
    await settledTicket(desk.local, between.id)
    await openTicket(desk.local, task, command)
    await desk.cancel(task)
  })

  it('show every decision: by whom, and on which exact text', async () => {
    await goTo(desk.page, '/settings/audit')
    const table = desk.page.getByRole('table')
    await table.getByRole('row').filter({ hasText: 'echo between' }).first().waitFor({ timeout: PATIENCE_MS })
    await desk.page.getByRole('searchbox', { name: 'Filter' }).fill('echo between')
    await isGone(table.getByRole('row').filter({ hasText: 'made a token' }))
    await table.getByRole('row').filter({ hasText: 'echo between' }).first().waitFor()
    const download = desk.page.waitForEvent('download')
    await desk.page.getByRole('button', { name: 'Save as a file' }).click()
    expect((await download).suggestedFilename()).toMatch(/^handoff-audit-local-.*\.jsonl$/)
  })

  it('change the colours at once', async () => {
    await goTo(desk.page, '/settings/appearance')
    const ground = () => desk.page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    await desk.page.getByLabel('Colours').selectOption({ label: 'Light' })
    await eventually('a light page', async () => (await ground()) === 'rgb(255, 255, 255)')
    await desk.page.getByLabel('Colours').selectOption({ label: 'Dark' })
    await eventually('a dark page', async () => (await ground()) === 'rgb(29, 29, 27)')
  })

  it('speak 简体中文 everywhere, at once and after a new start', async () => {
    await desk.page.getByLabel('Language').selectOption({ label: '简体中文' })
    const nav = desk.page.getByRole('navigation').first()
    await nav.getByRole('button', { name: '收件箱' }).waitFor({ timeout: PATIENCE_MS })
    expect(await desk.page.evaluate(() => document.documentElement.lang)).toMatch(/^zh/)
    for (const route of [
      '/inbox',
      '/tasks',
      '/hosts',
      '/hosts/local',
      '/settings/appearance',
      '/settings/rules',
    ]) {
      await goTo(desk.page, route)
      await desk.page.locator('main h1, main h2').first().waitFor({ timeout: PATIENCE_MS })
      expect([route, englishSentences(await desk.page.innerText('body'))]).toEqual([route, []])
    }
    await desk.restart()
    await desk.page.getByRole('navigation').first().getByRole('button', { name: '收件箱' }).waitFor({
      timeout: PATIENCE_MS,
    })
    await goTo(desk.page, '/settings/appearance')
    await desk.page.locator('main select').first().selectOption({ label: 'English' })
    await desk.page.getByRole('navigation').first().getByRole('button', { name: 'Inbox' }).waitFor()
    await isGone(desk.page.getByText('收件箱'))
  })
})

/** Lines that are a sentence of English: four or more words of it. Names, paths and commands are not. */
function englishSentences(text: string): string[] {
  return text.split('\n').filter((line) => /\b[A-Za-z]+ [a-z]+ [a-z]+ [a-z]+\b/.test(line))
}
