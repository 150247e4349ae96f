import { expect, it } from 'vitest'
import { deskSuite } from '../support/desk-suite.ts'
import {
  eventually,
  badgeBecomes,
  badgeOf,
  clickToDecide,
  goTo,
  holdToDecide,
  inboxRow,
  isGone,
  openRow,
  PATIENCE_MS,
  reads,
} from '../support/desk-page.ts'
import { answerElsewhere, eventsOf, openTicket, settledTicket, taskReaches } from '../support/host-side.ts'

deskSuite('a ticket on the desk', {}, (desk) => {
  const dispatch = (title: string, ...steps: string[]) => desk.dispatch(title, steps)
  const reduceMotion = async (isOn: boolean) => {
    await goTo(desk.page, '/settings/appearance')
    const box = desk.page.getByLabel('Reduce motion')
    await box.click({ timeout: PATIENCE_MS })
    await eventually('the choice to be kept', async () => (await box.isChecked()) === isOn)
    await goTo(desk.page, '/inbox')
  }

  it('that is routine is approved with one click, and the card says what became of it', async () => {
    const task = await dispatch('Routine', 'ask-permission echo routine', 'no-trailer')
    const { id } = await openTicket(desk.local, task, 'echo routine')
    const card = await openRow(desk.page, 'echo routine')
    await reads(card, 'Run a command')
    await clickToDecide(card.getByRole('button', { name: 'Approve once' }))
    expect(await settledTicket(desk.local, id)).toMatchObject({
      state: 'delivered',
      answer: { kind: 'approve' },
      answeredBy: { clientKind: 'desk' },
    })
    await openTicket(desk.local, task, '')
    await desk.cancel(task)
  })

  it('that is dangerous is never approved by one click, a double click or Enter, only by holding', async () => {
    const task = await dispatch('Danger', 'ask-permission rm -rf ../shared-cache', 'no-trailer')
    const { id } = await openTicket(desk.local, task, 'rm -rf')
    const card = await openRow(desk.page, 'rm -rf ../shared-cache', '../shared-cache')
    await card.locator('mark').filter({ hasText: '../shared-cache' }).waitFor()
    await reads(card, 'Dangerous, so nobody decides it but you.')
    expect(await card.getByRole('button', { name: 'Remember…' }).count()).toBe(0)
    const hold = card.getByRole('button', { name: /Hold to approve/ })
    await hold.click()
    await hold.dblclick()
    await hold.press('Enter')
    await reads(card, 'Keep it pressed for a second.')
    await card.focus()
    await desk.page.keyboard.press('Enter')
    await desk.page.keyboard.press('Control+Enter')
    expect((await desk.local.call('ticket.get', { ticket: id })).ticket.state).toBe('open')
    await holdToDecide(desk.page, hold)
    expect(await settledTicket(desk.local, id)).toMatchObject({ answer: { kind: 'approve' } })
    await desk.cancel(task)
  })

  it('that is dangerous is approved with a second click where nothing may move', async () => {
    await reduceMotion(true)
    const task = await dispatch('Danger again', 'ask-permission rm -rf ../other-cache', 'no-trailer')
    const { id } = await openTicket(desk.local, task, 'rm -rf')
    const card = await openRow(desk.page, 'rm -rf ../other-cache', '../other-cache')
    await card.getByRole('button', { name: /^Approve…/ }).click()
    const again = card.getByRole('button', { name: /Click again to approve/ })
    await again.waitFor()
    expect((await desk.local.call('ticket.get', { ticket: id })).ticket.state).toBe('open')
    await clickToDecide(card.getByRole('button', { name: /^Approve…|Click again to approve/ }))
    expect(await settledTicket(desk.local, id)).toMatchObject({ answer: { kind: 'approve' } })
    await reduceMotion(false)
    await desk.cancel(task)
  })

  it('is denied with a message, and the agent goes on with it', async () => {
    const task = await dispatch('Deny', 'ask-permission echo denied', 'write made.txt yes', 'commit Went on')
    const { id } = await openTicket(desk.local, task, 'echo denied')
    const card = await openRow(desk.page, 'echo denied')
    await card.getByRole('button', { name: 'Deny and say why…' }).click()
    await card.getByLabel('What should it do instead?').fill('Not now. 先看看文档。')
    await clickToDecide(card.getByRole('button', { name: 'Deny and go on' }))
    expect(await settledTicket(desk.local, id)).toMatchObject({
      state: 'delivered',
      answer: { kind: 'deny', stop: false, message: 'Not now. 先看看文档。' },
    })
    const { task: after } = await taskReaches(desk.local, task, 'waiting_review')
    expect(after.head).not.toBe(after.base)
    await desk.cancel(task)
  })

  it('is denied and stopped, and the task waits for the person', async () => {
    const task = await dispatch('Stop', 'ask-permission echo stopped', 'write never.txt no', 'commit Never')
    const { id } = await openTicket(desk.local, task, 'echo stopped')
    const card = await openRow(desk.page, 'echo stopped')
    await card.getByRole('button', { name: 'Deny and say why…' }).click()
    await clickToDecide(card.getByRole('button', { name: 'Deny and stop' }))
    expect(await settledTicket(desk.local, id)).toMatchObject({ answer: { kind: 'deny', stop: true } })
    const { task: after } = await taskReaches(desk.local, task, 'waiting_review')
    expect(after.head ?? after.base).toBe(after.base)
    await desk.cancel(task)
  })

  it('is remembered by the exact rule that is shown, which answers the next without a word', async () => {
    const task = await dispatch(
      'Remember',
      'ask-permission node --test a.test.mjs',
      'ask-permission node --test a.test.mjs',
      'no-trailer',
    )
    const { id } = await openTicket(desk.local, task, 'node --test')
    const card = await openRow(desk.page, 'node --test a.test.mjs')
    await card.getByRole('button', { name: 'Remember…' }).click()
    const panel = card.getByRole('group', { name: 'Approve and remember this rule' })
    const shown = await panel.locator('code').textContent({ timeout: PATIENCE_MS })
    await panel.getByRole('radio', { name: /For this repository/ }).check()
    await reads(panel, /until you revoke it/)
    await panel.getByRole('radio', { name: /For this task/ }).check()
    const before = await badgeOf(desk.page, 'Inbox')
    await clickToDecide(panel.getByRole('button', { name: 'Save and approve' }))
    await settledTicket(desk.local, id)
    const last = await eventually('the agent to come to its end', async () => {
      const { tickets } = await desk.local.call('ticket.list', { task, open: false })
      return tickets.length >= 3 ? tickets : undefined
    })
    const kinds = last
      .filter(({ ask }) => ask.kind === 'permission')
      .map(({ answeredBy }) => answeredBy?.kind)
    expect(kinds.sort()).toEqual(['client', 'rule'])
    const { rules } = await desk.local.call('rule.list', { task })
    expect(rules).toMatchObject([{ pattern: shown, scope: 'task', hits: 1 }])
    expect(await badgeOf(desk.page, 'Inbox')).toBeLessThanOrEqual(before)
    await desk.cancel(task)
  })

  it('that is a question takes an option, or the words of the person', async () => {
    const task = await dispatch(
      'Questions',
      'question Which colour? [red|blue] product',
      'question What name? product',
      'no-trailer',
    )
    const first = await openTicket(desk.local, task, 'Which colour?')
    const card = await openRow(desk.page, 'Which colour?')
    const send = card.getByRole('button', { name: 'Send answer' })
    expect(await send.isDisabled()).toBe(true)
    await card.getByRole('radio', { name: 'blue' }).check()
    await clickToDecide(send)
    expect(await settledTicket(desk.local, first.id)).toMatchObject({
      answer: { kind: 'options', labels: ['blue'] },
    })
    const second = await openTicket(desk.local, task, 'What name?')
    const next = await openRow(desk.page, 'What name?')
    await next.getByLabel('Your answer').fill('Bo\nor 小明')
    await clickToDecide(next.getByRole('button', { name: 'Send answer' }))
    expect(await settledTicket(desk.local, second.id)).toMatchObject({
      answer: { kind: 'text', text: 'Bo\nor 小明' },
    })
    await desk.cancel(task)
  })

  it('that was answered elsewhere says by whom, and the number falls', async () => {
    const task = await dispatch('Elsewhere', 'question Who answers? [me|you] product', 'no-trailer')
    const { id } = await openTicket(desk.local, task, 'Who answers?')
    const card = await openRow(desk.page, 'Who answers?')
    await badgeBecomes(desk.page, 'Inbox', 1)
    await answerElsewhere(desk.local, id, { kind: 'options', labels: ['you'] })
    await reads(card, 'test chose: you')
    await reads(card, 'Delivered to the agent.')
    expect(await card.getByRole('button', { name: 'Send answer' }).count()).toBe(0)
    await isGone(inboxRow(desk.page, 'Who answers?'))
    await badgeBecomes(desk.page, 'Inbox', 0)
    await desk.cancel(task)
  })

  it('that nobody waits for any more says so and cannot be answered', async () => {
    const task = await dispatch('Expired', 'ask-permission echo expired', 'no-trailer')
    await openTicket(desk.local, task, 'echo expired')
    const card = await openRow(desk.page, 'echo expired')
    await desk.cancel(task)
    await reads(card, 'The agent no longer waits for this.')
    expect(await card.getByRole('button', { name: 'Approve once' }).count()).toBe(0)
    expect(await eventsOf(desk.local, task, 'answered')).toHaveLength(0)
  })
})
