import type { HostConnection } from '../../shared/node/host-client/connection.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deskSuite } from '../support/desk-suite.ts'
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
import { openTicket, settledTicket } from '../support/host-side.ts'
import { addHost, isLive, startSecondHost, type SecondHost } from '../support/second-host.ts'

deskSuite('two hosts', {}, (desk) => {
  let box: SecondHost
  beforeAll(async () => {
    box = await startSecondHost()
  })
  afterAll(() => box?.dispose())

  const dispatch = (on: HostConnection, question: string) =>
    desk.dispatch(`About ${question}`, [`question ${question} [yes|no] product`, 'no-trailer'], on)

  it('is told what is wrong with a token that does not open it, and let in with a better one', async () => {
    await addHost(desk.page, { where: box.address, name: 'box', token: 'not-the-token' })
    const about = desk.page.getByRole('region', { name: 'box', exact: true })
    await reads(about, 'It does not let this desk in.')
    await about.locator('input[type="password"]').fill(box.token)
    await about.getByRole('button', { name: 'Save the token' }).click()
    await reads(about, 'Connected, and everything it knows is here.')
    await reads(about, 'Everything you may: also answer what is meant for you.')
    expect(await desk.page.content()).not.toContain(box.token)
  })

  it('shows what both ask in one inbox, and by host', async () => {
    const here = await dispatch(desk.local, 'Keep it here?')
    const there = await dispatch(box.connection, 'Move it there?')
    await Promise.all([
      openTicket(desk.local, here, 'Keep it here?'),
      openTicket(box.connection, there, 'Move it there?'),
    ])
    await goTo(desk.page, '/inbox')
    await inboxRow(desk.page, 'Keep it here?').waitFor({ timeout: PATIENCE_MS })
    await inboxRow(desk.page, 'Move it there?').getByText('box').waitFor({ timeout: PATIENCE_MS })
    await badgeBecomes(desk.page, 'Inbox', 2)
    await desk.page.getByTitle('Section and host').click()
    await desk.page.getByRole('menuitemcheckbox', { name: /^box/ }).click()
    await isGone(inboxRow(desk.page, 'Keep it here?'))
    await inboxRow(desk.page, 'Move it there?').waitFor()
    await desk.page.getByRole('button', { name: 'Clear the filter' }).click()
    await inboxRow(desk.page, 'Keep it here?').waitFor()
  })

  it('sends each answer to the host that asked', async () => {
    for (const [connection, question] of [
      [box.connection, 'Move it there?'],
      [desk.local, 'Keep it here?'],
    ] as const) {
      const { tickets } = await connection.call('ticket.list', { open: true })
      const card = await openRow(desk.page, question)
      await card.getByRole('radio', { name: 'yes' }).check()
      await clickToDecide(card.getByRole('button', { name: 'Send answer' }))
      expect(await settledTicket(connection, tickets[0]?.id ?? '')).toMatchObject({
        ask: { text: question },
        answer: { kind: 'options', labels: ['yes'] },
      })
    }
    await badgeBecomes(desk.page, 'Inbox', 0)
  })

  it('has its tasks in one list with the others, gone through with arrows', async () => {
    await goTo(desk.page, '/tasks')
    const line = (name: RegExp) =>
      desk.page.getByRole('list', { name: 'Tasks' }).getByRole('button', { name })
    const [here, there] = [line(/About Keep it here/), line(/About Move it there/)]
    await here.focus()
    await desk.page.keyboard.press('Enter')
    await here.and(desk.page.locator('[aria-current]')).waitFor({ timeout: PATIENCE_MS })
    const top = async (row: typeof here) => (await row.boundingBox())?.y ?? 0
    await desk.page.keyboard.press((await top(there)) < (await top(here)) ? 'ArrowUp' : 'ArrowDown')
    await there.and(desk.page.locator('[aria-current]:focus')).waitFor({ timeout: PATIENCE_MS })
  })

  it('is forgotten without a change on the host, which can be added again', async () => {
    await goTo(desk.page, '/hosts/box')
    await desk.page.getByRole('button', { name: 'Forget this host…' }).click()
    await desk.page.getByRole('dialog').getByRole('button', { name: 'Forget it' }).click()
    await isGone(desk.page.getByLabel('Sections').getByText('box', { exact: true }))
    await goTo(desk.page, '/tasks')
    await desk.page.getByRole('button', { name: /About Keep it here/ }).waitFor({ timeout: PATIENCE_MS })
    await isGone(desk.page.getByRole('button', { name: /About Move it there/ }))
    const { tasks } = await box.connection.call('task.list', {})
    expect(tasks).toHaveLength(1)
    await addHost(desk.page, { where: box.address, name: 'box', token: box.token })
    await isLive(desk.page, 'box')
    await goTo(desk.page, '/tasks')
    await desk.page.getByRole('button', { name: /About Move it there/ }).waitFor({ timeout: PATIENCE_MS })
  })
})
