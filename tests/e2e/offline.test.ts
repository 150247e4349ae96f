import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
import { answerElsewhere, eventsOf, openTicket, settledTicket } from '../support/host-side.ts'
import { createRepository, type TestRepository } from '../support/repository.ts'
import { requires } from '../support/requirements.ts'
import { addHost, isLive, startSecondHost, type SecondHost } from '../support/second-host.ts'

const needs = requires('git', 'tmux', 'chromium')
const chromium = chromiumForTests()

describe.skipIf(needs.skip).each(shellsUnderTest())(
  needs.title('a host that is away, in the shell %s'),
  (shell) => {
    let host: TestHost
    let box: SecondHost
    let desk: DeskUnderTest
    let page: Page
    let repo: TestRepository

    picturesOfFailures(() => page)
    beforeAll(async () => {
      ;[host, box, repo] = await Promise.all([startHost(), startSecondHost(), createRepository()])
      desk = await startDeskUnderTest(shell, { host, chromium, settings: { welcomed: true } })
      page = await desk.page()
      await addHost(page, { where: box.address, name: 'box', token: box.token })
      await isLive(page, 'box')
      await goTo(page, '/inbox')
    })
    afterAll(async () => {
      await desk?.dispose()
      await box?.dispose()
      await host?.dispose()
      await repo?.dispose()
    })

    const dispatch = async (title: string, ...steps: string[]) =>
      (
        await dispatchDemo(box.connection, repo.path, steps.map((step) => `demo: ${step}`).join('\n'), {
          title,
        })
      ).id
    const away = async () => {
      box.proxy.cut()
      await page
        .getByLabel('Sections')
        .getByText(/retry \d+ s|offline/)
        .first()
        .waitFor({ timeout: PATIENCE_MS })
    }
    const back = async () => {
      box.proxy.mend()
      await isLive(page, 'box')
      await goTo(page, '/inbox')
    }

    it('is shown to be away, and what was known of it stays and can be answered', async () => {
      const task = await dispatch('Away', 'question Kept or lost? [kept|lost] product', 'no-trailer')
      const { id } = await openTicket(box.connection, task, 'Kept or lost?')
      await inboxRow(page, 'Kept or lost?').waitFor({ timeout: PATIENCE_MS })
      await away()
      const card = await openRow(page, 'Kept or lost?')
      await reads(page, /box is offline; shown as of/)
      await card.getByRole('radio', { name: 'lost' }).check()
      await clickToDecide(card.getByRole('button', { name: 'Send answer' }))
      await openRow(page, 'Kept or lost?')
      await reads(card, 'Waiting for box. It is sent as soon as the host is back.')
      await inboxRow(page, 'Kept or lost?').getByText('waiting for box').waitFor()
      expect((await box.connection.call('ticket.get', { ticket: id })).ticket.state).toBe('open')
    })

    it('gets no answer that was taken back, and the one that was given instead exactly once', async () => {
      const card = await openRow(page, 'Kept or lost?')
      await card.getByRole('button', { name: 'Take back' }).click()
      const send = card.getByRole('button', { name: 'Send answer' })
      await send.waitFor({ timeout: PATIENCE_MS })
      await card.getByRole('radio', { name: 'kept' }).check()
      await clickToDecide(send)
      // Over a restart of the desk as well: what was answered is on disk.
      await desk.end()
      await desk.start()
      page = await desk.page()
      await inboxRow(page, 'Kept or lost?').getByText('waiting for box').waitFor({ timeout: PATIENCE_MS })
      const { tickets } = await box.connection.call('ticket.list', { open: true })
      const asked = tickets.find(({ ask }) => ask.text === 'Kept or lost?')
      await back()
      expect(await settledTicket(box.connection, asked?.id ?? '')).toMatchObject({
        state: 'delivered',
        answer: { kind: 'options', labels: ['kept'] },
        answeredBy: { clientKind: 'desk' },
      })
      const answered = await eventsOf(box.connection, asked?.taskId ?? '', 'answered')
      expect(answered.filter(({ body }) => body['ticketId'] === asked?.id)).toHaveLength(1)
      await isGone(inboxRow(page, 'Kept or lost?'))
    })

    it('tells the person when somebody else was faster', async () => {
      const task = await dispatch('Late', 'question Who is first? [me|you] product', 'no-trailer')
      const { id } = await openTicket(box.connection, task, 'Who is first?')
      await inboxRow(page, 'Who is first?').waitFor({ timeout: PATIENCE_MS })
      await away()
      const card = await openRow(page, 'Who is first?')
      await card.getByRole('radio', { name: 'me' }).check()
      await clickToDecide(card.getByRole('button', { name: 'Send answer' }))
      await answerElsewhere(box.connection, id, { kind: 'options', labels: ['you'] })
      await back()
      const notices = page.getByRole('region', { name: 'Notices' })
      const late = notices.locator('> div').filter({ hasText: 'Somebody else had answered first on box.' })
      await late.getByRole('button', { name: 'Open' }).click({ timeout: PATIENCE_MS })
      await reads(card, 'test chose: you')
      expect(await eventsOf(box.connection, task, 'answered')).toHaveLength(1)
      await badgeBecomes(page, 'Inbox', 0)
    })
  },
)
