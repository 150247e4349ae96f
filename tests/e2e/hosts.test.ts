import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HostConnection } from '../../shared/node/host-client/connection.ts'
import { dispatchDemo, startHost, type TestHost } from '../support/agentd.ts'
import { chromiumForTests } from '../support/chromium.ts'
import {
  badgeBecomes,
  clickToDecide,
  goTo,
  inboxRow,
  isGone,
  openRow,
  PATIENCE_MS,
  reads,
} from '../support/desk-page.ts'
import { shellsUnderTest, startDeskUnderTest, type DeskUnderTest } from '../support/desk-under-test.ts'
import { picturesOfFailures } from '../support/failure-pictures.ts'
import { openTicket, settledTicket } from '../support/host-side.ts'
import { createRepository, type TestRepository } from '../support/repository.ts'
import { requires } from '../support/requirements.ts'
import { addHost, isLive, startSecondHost, type SecondHost } from '../support/second-host.ts'

const needs = requires('git', 'tmux', 'chromium')
const chromium = chromiumForTests()

describe.skipIf(needs.skip).each(shellsUnderTest())(needs.title('two hosts, in the shell %s'), (shell) => {
  let host: TestHost
  let box: SecondHost
  let desk: DeskUnderTest
  let page: Page
  let local: HostConnection
  let repo: TestRepository

  picturesOfFailures(() => page)
  beforeAll(async () => {
    ;[host, box, repo] = await Promise.all([startHost(), startSecondHost(), createRepository()])
    desk = await startDeskUnderTest(shell, { host, chromium, settings: { welcomed: true } })
    page = await desk.page()
    local = await host.connect()
  })
  afterAll(async () => {
    local?.close()
    await desk?.dispose()
    await box?.dispose()
    await host?.dispose()
    await repo?.dispose()
  })

  const dispatch = async (connection: HostConnection, question: string) =>
    (
      await dispatchDemo(
        connection,
        repo.path,
        `demo: question ${question} [yes|no] product\ndemo: no-trailer`,
        {
          title: `About ${question}`,
        },
      )
    ).id

  it('is told what is wrong with a token that does not open it, and let in with a better one', async () => {
    await addHost(page, { where: box.address, name: 'box', token: 'not-the-token' })
    const about = page.getByRole('region', { name: 'box', exact: true })
    await reads(about, 'It does not let this desk in.')
    await about.locator('input[type="password"]').fill(box.token)
    await about.getByRole('button', { name: 'Save the token' }).click()
    await reads(about, 'Connected, and everything it knows is here.')
    await reads(about, 'Everything you may: also answer what is meant for you.')
    expect(await page.content()).not.toContain(box.token)
  })

  it('shows what both ask in one inbox, and by host', async () => {
    const here = await dispatch(local, 'Keep it here?')
    const there = await dispatch(box.connection, 'Move it there?')
    await Promise.all([
      openTicket(local, here, 'Keep it here?'),
      openTicket(box.connection, there, 'Move it there?'),
    ])
    await goTo(page, '/inbox')
    await inboxRow(page, 'Keep it here?').waitFor({ timeout: PATIENCE_MS })
    await inboxRow(page, 'Move it there?').getByText('box').waitFor({ timeout: PATIENCE_MS })
    await badgeBecomes(page, 'Inbox', 2)
    await page.getByTitle('Section and host').click()
    await page.getByRole('menuitemcheckbox', { name: /^box/ }).click()
    await isGone(inboxRow(page, 'Keep it here?'))
    await inboxRow(page, 'Move it there?').waitFor()
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await inboxRow(page, 'Keep it here?').waitFor()
  })

  it('sends each answer to the host that asked', async () => {
    for (const [connection, question] of [
      [box.connection, 'Move it there?'],
      [local, 'Keep it here?'],
    ] as const) {
      const { tickets } = await connection.call('ticket.list', { open: true })
      const card = await openRow(page, question)
      await card.getByRole('radio', { name: 'yes' }).check()
      await clickToDecide(card.getByRole('button', { name: 'Send answer' }))
      expect(await settledTicket(connection, tickets[0]?.id ?? '')).toMatchObject({
        ask: { text: question },
        answer: { kind: 'options', labels: ['yes'] },
      })
    }
    await badgeBecomes(page, 'Inbox', 0)
  })

  it('is forgotten without a change on the host, which can be added again', async () => {
    await goTo(page, '/hosts/box')
    await page.getByRole('button', { name: 'Forget this host…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Forget it' }).click()
    await isGone(page.getByLabel('Sections').getByText('box', { exact: true }))
    await goTo(page, '/tasks')
    await page.getByRole('button', { name: /About Keep it here/ }).waitFor({ timeout: PATIENCE_MS })
    await isGone(page.getByRole('button', { name: /About Move it there/ }))
    const { tasks } = await box.connection.call('task.list', {})
    expect(tasks).toHaveLength(1)
    await addHost(page, { where: box.address, name: 'box', token: box.token })
    await isLive(page, 'box')
    await goTo(page, '/tasks')
    await page.getByRole('button', { name: /About Move it there/ }).waitFor({ timeout: PATIENCE_MS })
  })
})
