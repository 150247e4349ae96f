import { afterAll, beforeAll, expect, it } from 'vitest'
import type { HostConnection } from '../../shared/node/host-client/connection.ts'
import {
  eventually,
  clickToDecide,
  goTo,
  holdToDecide,
  isGone,
  PATIENCE_MS,
  reads,
} from '../support/desk-page.ts'
import { deskSuite, type DeskSuite } from '../support/desk-suite.ts'
import type { TestElectronDesk } from '../support/electron-desk.ts'
import { answerElsewhere, openTicket, settledTicket } from '../support/host-side.ts'
import { callBridge, mainWindow, notificationWith, putAway, trayWindow } from '../support/shell-parts.ts'

const onMac = {
  needs: ['standin'],
  shells: ['standin'],
  standIn: { platform: 'darwin', locale: 'en-US' },
} as const

/** A desk whose windows are put away, and somebody at another desk who hands over tasks: what they ask is the person's. */
function awayFromTheDesk(desk: DeskSuite) {
  const made: { person?: HostConnection } = {}
  beforeAll(async () => {
    made.person = await desk.host.connect({ clientId: 'another-desk', kind: 'desk' })
    await putAway(app())
  })
  afterAll(() => made.person?.close())
  const app = (): TestElectronDesk => {
    if (desk.app.electron === undefined) throw new Error('This shell is not the app.')
    return desk.app.electron
  }
  return {
    app,
    /** A task that asks something, waits for the answer and goes on for ever. Answers the ticket. */
    async asks(step: string, text: string) {
      const task = await desk.dispatch('Work', [step, 'hang'], made.person)
      return openTicket(desk.local, task, text)
    },
    /** Waits until the desk's own log says what became of a notification. */
    async became(title: string, ticketId: string, outcome: string, why?: string) {
      await eventually(`${outcome} in the log of notifications`, async () => {
        const answer = await callBridge(desk.page, 'notification.log')
        const { records } = (answer as unknown as { value: { records: Record<string, string>[] } }).value
        return records.some(
          (record) =>
            record['title'] === title &&
            record['key']?.endsWith(`/${ticketId}`) &&
            record['outcome'] === outcome &&
            (why === undefined || record['why'] === why),
        )
      })
    },
    isClosed: (index: number) =>
      eventually(
        'the notification to be taken back',
        async () => (await app().notifications())[index]?.state === 'closed',
      ),
  }
}

deskSuite('a notification on macOS', onMac, (desk) => {
  const { app, asks, became, isClosed } = awayFromTheDesk(desk)

  it('approves what is routine, once, and says what became of it', async () => {
    const { id } = await asks('ask-permission echo routine', 'echo routine')
    const { index, title, options } = await notificationWith(app(), 'echo routine')
    expect(options).toMatchObject({ hasReply: false, timeoutType: 'never', urgency: 'normal' })
    expect(options['actions']).toEqual([
      { type: 'button', text: 'Approve once' },
      { type: 'button', text: 'Deny' },
    ])
    await eventually('the number on the dock', async () => (await app().ask('told', undefined)).badge === 1)
    await app().ask('actOnNotification', { index, action: 0 })
    expect(await settledTicket(desk.local, id)).toMatchObject({
      state: 'delivered',
      answer: { kind: 'approve' },
      answeredBy: { clientKind: 'desk' },
    })
    await became(title, id, 'answered', 'approve')
    await eventually('no number on the dock', async () => (await app().ask('told', undefined)).badge === 0)
  })

  it('denies, and the agent goes on', async () => {
    const { id } = await asks('ask-permission echo denied', 'echo denied')
    const { index, title } = await notificationWith(app(), 'echo denied')
    await app().ask('actOnNotification', { index, action: 1 })
    expect(await settledTicket(desk.local, id)).toMatchObject({
      state: 'delivered',
      answer: { kind: 'deny', stop: false },
    })
    await became(title, id, 'answered', 'deny')
  })

  it('takes the words that are typed into it as the answer to a question', async () => {
    const { id } = await asks('question What name? product', 'What name?')
    const { index, title, options } = await notificationWith(app(), 'What name?')
    expect(options).toMatchObject({ hasReply: true, replyPlaceholder: 'Type your answer', actions: [] })
    await app().ask('replyToNotification', { index, text: ' Bo, or 小明 ' })
    expect(await settledTicket(desk.local, id)).toMatchObject({
      state: 'delivered',
      answer: { kind: 'text', text: 'Bo, or 小明' },
    })
    await became(title, id, 'answered', 'text')
  })

  it('has no way to approve what is dangerous, and opens it where it can be read', async () => {
    const { id } = await asks('ask-permission rm -rf ../shared-cache', 'rm -rf')
    const { index, title, options } = await notificationWith(app(), 'rm -rf')
    expect(options).toMatchObject({ urgency: 'critical', actions: [{ text: 'Deny' }] })
    await app().clickNotification(index)
    await desk.page.locator(`section[data-ticket="${id}"]`).waitFor({ timeout: PATIENCE_MS })
    expect(await mainWindow(app())).toMatchObject({ isVisible: true, isFocused: true })
    expect((await desk.local.call('ticket.get', { ticket: id })).ticket.state).toBe('open')
    await became(title, id, 'clicked')
    // It is looked at now, so it no longer lies in the list of the system.
    await isClosed(index)
    await answerElsewhere(desk.local, id, { kind: 'deny', stop: false })
    await goTo(desk.page, '/inbox')
    await putAway(app())
  })

  it('is taken back when somebody else answers', async () => {
    const { id } = await asks('question Who answers? [me|you] product', 'Who answers?')
    const { index, title, options } = await notificationWith(app(), 'Who answers?')
    expect(options['actions']).toMatchObject([{ text: 'me' }, { text: 'you' }])
    await answerElsewhere(desk.local, id, { kind: 'options', labels: ['you'] })
    await isClosed(index)
    await became(title, id, 'withdrawn')
  })

  it('that the system could not show is told of where the person looks for it', async () => {
    const { id } = await asks('ask-permission echo unseen', 'echo unseen')
    const { index, title } = await notificationWith(app(), 'echo unseen')
    await app().ask('failNotification', { index, why: 'the service is gone' })
    await became(title, id, 'failed', 'the service is gone')
    await app()
      .ask('clickTrayMenu', { labels: ['Open Handoff'] })
      .catch(() => undefined)
    await goTo(desk.page, '/settings/notifications')
    await reads(desk.page, /failed · the service is gone/)
  })
})

deskSuite('the window beside the tray icon', onMac, (desk) => {
  const { app, asks } = awayFromTheDesk(desk)

  /** Opens it as a click on the icon does. */
  async function open() {
    if ((await trayWindow(app()))?.isVisible !== true)
      await eventually('the window beside the icon', async () => {
        await app().ask('clickTray', {})
        return (await trayWindow(app()))?.isVisible === true
      })
    return app().trayPage()
  }
  const item = async (id: string) => (await open()).locator(`li[data-ticket="${id}"]`)

  it('approves what is routine', async () => {
    const { id } = await asks('ask-permission echo routine', 'echo routine')
    const row = await item(id)
    await reads(row, 'echo routine')
    await clickToDecide(row.getByRole('button', { name: 'Approve once' }))
    expect(await settledTicket(desk.local, id)).toMatchObject({
      state: 'delivered',
      answer: { kind: 'approve' },
      answeredBy: { clientKind: 'desk' },
    })
    await isGone(row)
    await reads(await open(), 'Nothing needs you.')
  })

  it('denies with a message', async () => {
    const { id } = await asks('ask-permission echo denied', 'echo denied')
    const row = await item(id)
    await row.getByRole('button', { name: 'Deny…' }).click({ timeout: PATIENCE_MS })
    await row.getByLabel('What should it do instead?').fill('Not now.')
    await clickToDecide(row.getByRole('button', { name: 'Deny and go on' }))
    expect(await settledTicket(desk.local, id)).toMatchObject({
      state: 'delivered',
      answer: { kind: 'deny', stop: false, message: 'Not now.' },
    })
  })

  it('answers a question with one of its options', async () => {
    const { id } = await asks('question Which colour? [red|blue] product', 'Which colour?')
    const row = await item(id)
    await reads(row, 'Which colour?')
    await clickToDecide(row.getByRole('button', { name: 'blue' }))
    expect(await settledTicket(desk.local, id)).toMatchObject({
      answer: { kind: 'options', labels: ['blue'] },
    })
  })

  it('approves what is dangerous only when the button is held', async () => {
    const { id } = await asks('ask-permission rm -rf ../shared-cache', 'rm -rf')
    const row = await item(id)
    const hold = row.getByRole('button', { name: /Hold to approve/ })
    await hold.click({ timeout: PATIENCE_MS })
    await reads(row, 'Keep it pressed for a second.')
    expect((await desk.local.call('ticket.get', { ticket: id })).ticket.state).toBe('open')
    await holdToDecide(await open(), hold)
    expect(await settledTicket(desk.local, id)).toMatchObject({ answer: { kind: 'approve' } })
  })

  it('opens the ticket in the large window and goes away', async () => {
    const { id } = await asks('question Look closer? [yes|no] product', 'Look closer?')
    const row = await item(id)
    await row.getByRole('button', { name: 'Answer…' }).click({ timeout: PATIENCE_MS })
    await desk.page.locator(`section[data-ticket="${id}"]`).waitFor({ timeout: PATIENCE_MS })
    await eventually('the large window in front', async () => {
      const { isVisible, isFocused } = await mainWindow(app())
      return isVisible && isFocused
    })
    await eventually('the small one to hide', async () => (await trayWindow(app()))?.isVisible === false)
    await desk.page.getByRole('radio', { name: 'yes' }).check()
    await clickToDecide(desk.page.getByRole('button', { name: 'Send answer' }))
    expect(await settledTicket(desk.local, id)).toMatchObject({
      answer: { kind: 'options', labels: ['yes'] },
    })
  })
})
