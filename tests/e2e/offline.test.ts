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
import { answerElsewhere, eventsOf, openTicket, settledTicket } from '../support/host-side.ts'
import { addHost, isLive, startSecondHost, type SecondHost } from '../support/second-host.ts'

deskSuite('a host that is away', {}, (desk) => {
  let box: SecondHost
  beforeAll(async () => {
    box = await startSecondHost()
    await addHost(desk.page, { where: box.address, name: 'box', token: box.token })
    await isLive(desk.page, 'box')
    await goTo(desk.page, '/inbox')
  })
  afterAll(() => box?.dispose())

  const dispatch = (title: string, ...steps: string[]) => desk.dispatch(title, steps, box.connection)
  const away = async () => {
    box.proxy.cut()
    await desk.page
      .getByLabel('Sections')
      .getByText(/retry \d+ s|offline/)
      .first()
      .waitFor({ timeout: PATIENCE_MS })
  }
  const back = async () => {
    box.proxy.mend()
    await isLive(desk.page, 'box')
    await goTo(desk.page, '/inbox')
  }

  it('is shown to be away, and what was known of it stays and can be answered', async () => {
    const task = await dispatch('Away', 'question Kept or lost? [kept|lost] product', 'no-trailer')
    const { id } = await openTicket(box.connection, task, 'Kept or lost?')
    await inboxRow(desk.page, 'Kept or lost?').waitFor({ timeout: PATIENCE_MS })
    await away()
    const card = await openRow(desk.page, 'Kept or lost?')
    await reads(desk.page, /box is offline; shown as of/)
    await card.getByRole('radio', { name: 'lost' }).check()
    await clickToDecide(card.getByRole('button', { name: 'Send answer' }))
    await openRow(desk.page, 'Kept or lost?')
    await reads(card, 'Waiting for box. It is sent as soon as the host is back.')
    await inboxRow(desk.page, 'Kept or lost?').getByText('waiting for box').waitFor()
    expect((await box.connection.call('ticket.get', { ticket: id })).ticket.state).toBe('open')
  })

  it('gets no answer that was taken back, and the one that was given instead exactly once', async () => {
    const card = await openRow(desk.page, 'Kept or lost?')
    await card.getByRole('button', { name: 'Take back' }).click()
    const send = card.getByRole('button', { name: 'Send answer' })
    await send.waitFor({ timeout: PATIENCE_MS })
    await card.getByRole('radio', { name: 'kept' }).check()
    await clickToDecide(send)
    // Over a restart of the desk as well: what was answered is on disk.
    await desk.restart()
    await inboxRow(desk.page, 'Kept or lost?').getByText('waiting for box').waitFor({ timeout: PATIENCE_MS })
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
    await isGone(inboxRow(desk.page, 'Kept or lost?'))
  })

  it('tells the person when somebody else was faster', async () => {
    const task = await dispatch('Late', 'question Who is first? [me|you] product', 'no-trailer')
    const { id } = await openTicket(box.connection, task, 'Who is first?')
    await inboxRow(desk.page, 'Who is first?').waitFor({ timeout: PATIENCE_MS })
    await away()
    const card = await openRow(desk.page, 'Who is first?')
    await card.getByRole('radio', { name: 'me' }).check()
    await clickToDecide(card.getByRole('button', { name: 'Send answer' }))
    await answerElsewhere(box.connection, id, { kind: 'options', labels: ['you'] })
    await back()
    const notices = desk.page.getByRole('region', { name: 'Notices' })
    const late = notices.locator('> div').filter({ hasText: 'Somebody else had answered first on box.' })
    await late.getByRole('button', { name: 'Open' }).click({ timeout: PATIENCE_MS })
    await reads(card, 'test chose: you')
    expect(await eventsOf(box.connection, task, 'answered')).toHaveLength(1)
    await badgeBecomes(desk.page, 'Inbox', 0)
  })
})
