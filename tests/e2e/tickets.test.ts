import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HostConnection } from '../../shared/node/host-client/connection.ts'
import { dispatchDemo, requestId, startHost, type TestHost } from '../support/agentd.ts'
import { chromiumForTests } from '../support/chromium.ts'
import {
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
import { shellsUnderTest, startDeskUnderTest, type DeskUnderTest } from '../support/desk-under-test.ts'
import { picturesOfFailures } from '../support/failure-pictures.ts'
import { answerElsewhere, eventsOf, openTicket, settledTicket, taskReaches } from '../support/host-side.ts'
import { createRepository, type TestRepository } from '../support/repository.ts'
import { requires } from '../support/requirements.ts'
import { until } from '../support/until.ts'

const needs = requires('git', 'tmux', 'chromium')
const chromium = chromiumForTests()

describe.skipIf(needs.skip).each(shellsUnderTest({ alsoStandIn: true }))(
  needs.title('a ticket on the desk, in the shell %s'),
  (shell) => {
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

    const dispatch = async (title: string, ...steps: string[]) =>
      (await dispatchDemo(connection, repo.path, steps.map((step) => `demo: ${step}`).join('\n'), { title }))
        .id

    const reduceMotion = async (isOn: boolean) => {
      await goTo(page, '/settings/appearance')
      const box = page.getByLabel('Reduce motion')
      await box.click({ timeout: PATIENCE_MS })
      await until('the choice to be kept', async () => (await box.isChecked()) === isOn)
      await goTo(page, '/inbox')
    }

    it('that is routine is approved with one click, and the card says what became of it', async () => {
      const task = await dispatch('Routine', 'ask-permission echo routine', 'no-trailer')
      const { id } = await openTicket(connection, task, 'echo routine')
      const card = await openRow(page, 'echo routine')
      await reads(card, 'Run a command')
      await clickToDecide(card.getByRole('button', { name: 'Approve once' }))
      expect(await settledTicket(connection, id)).toMatchObject({
        state: 'delivered',
        answer: { kind: 'approve' },
        answeredBy: { clientKind: 'desk' },
      })
      await openTicket(connection, task, '')
      await connection.call('task.cancel', { requestId: requestId(), task })
    })

    it('that is dangerous is never approved by one click, a double click or Enter, only by holding', async () => {
      const task = await dispatch('Danger', 'ask-permission rm -rf ../shared-cache', 'no-trailer')
      const { id } = await openTicket(connection, task, 'rm -rf')
      const card = await openRow(page, 'rm -rf ../shared-cache', '../shared-cache')
      await card.locator('mark').filter({ hasText: '../shared-cache' }).waitFor()
      await reads(card, 'Dangerous, so nobody decides it but you.')
      expect(await card.getByRole('button', { name: 'Remember…' }).count()).toBe(0)
      const hold = card.getByRole('button', { name: /Hold to approve/ })
      await hold.click()
      await hold.dblclick()
      await hold.press('Enter')
      await reads(card, 'Keep it pressed for a second.')
      await card.focus()
      await page.keyboard.press('Enter')
      await page.keyboard.press('Control+Enter')
      expect((await connection.call('ticket.get', { ticket: id })).ticket.state).toBe('open')
      await holdToDecide(page, hold)
      expect(await settledTicket(connection, id)).toMatchObject({ answer: { kind: 'approve' } })
      await connection.call('task.cancel', { requestId: requestId(), task })
    })

    it('that is dangerous is approved with a second click where nothing may move', async () => {
      await reduceMotion(true)
      const task = await dispatch('Danger again', 'ask-permission rm -rf ../other-cache', 'no-trailer')
      const { id } = await openTicket(connection, task, 'rm -rf')
      const card = await openRow(page, 'rm -rf ../other-cache', '../other-cache')
      await card.getByRole('button', { name: /Hold to approve/ }).click()
      const again = card.getByRole('button', { name: /Click again to approve/ })
      await again.waitFor()
      expect((await connection.call('ticket.get', { ticket: id })).ticket.state).toBe('open')
      await clickToDecide(card.getByRole('button', { name: /Hold to approve|Click again to approve/ }))
      expect(await settledTicket(connection, id)).toMatchObject({ answer: { kind: 'approve' } })
      await reduceMotion(false)
      await connection.call('task.cancel', { requestId: requestId(), task })
    })

    it('is denied with a message, and the agent goes on with it', async () => {
      const task = await dispatch(
        'Deny',
        'ask-permission echo denied',
        'write made.txt yes',
        'commit Went on',
      )
      const { id } = await openTicket(connection, task, 'echo denied')
      const card = await openRow(page, 'echo denied')
      await card.getByRole('button', { name: 'Deny and say why…' }).click()
      await card.getByLabel('What should it do instead?').fill('Not now. 先看看文档。')
      await clickToDecide(card.getByRole('button', { name: 'Deny and go on' }))
      expect(await settledTicket(connection, id)).toMatchObject({
        state: 'delivered',
        answer: { kind: 'deny', stop: false, message: 'Not now. 先看看文档。' },
      })
      const { task: after } = await taskReaches(connection, task, 'waiting_review')
      expect(after.head).not.toBe(after.base)
      await connection.call('task.cancel', { requestId: requestId(), task })
    })

    it('is denied and stopped, and the task waits for the person', async () => {
      const task = await dispatch('Stop', 'ask-permission echo stopped', 'write never.txt no', 'commit Never')
      const { id } = await openTicket(connection, task, 'echo stopped')
      const card = await openRow(page, 'echo stopped')
      await card.getByRole('button', { name: 'Deny and say why…' }).click()
      await clickToDecide(card.getByRole('button', { name: 'Deny and stop' }))
      expect(await settledTicket(connection, id)).toMatchObject({ answer: { kind: 'deny', stop: true } })
      const { task: after } = await taskReaches(connection, task, 'waiting_review')
      expect(after.head ?? after.base).toBe(after.base)
      await connection.call('task.cancel', { requestId: requestId(), task })
    })

    it('is remembered by the exact rule that is shown, which answers the next without a word', async () => {
      const task = await dispatch(
        'Remember',
        'ask-permission node --test a.test.mjs',
        'ask-permission node --test a.test.mjs',
        'no-trailer',
      )
      const { id } = await openTicket(connection, task, 'node --test')
      const card = await openRow(page, 'node --test a.test.mjs')
      await card.getByRole('button', { name: 'Remember…' }).click()
      const panel = card.getByRole('group', { name: 'Approve and remember this rule' })
      const shown = await panel.locator('code').textContent({ timeout: PATIENCE_MS })
      await panel.getByRole('radio', { name: /For this repository/ }).check()
      await reads(panel, /until you revoke it/)
      await panel.getByRole('radio', { name: /For this task/ }).check()
      const before = await badgeOf(page, 'Inbox')
      await clickToDecide(panel.getByRole('button', { name: 'Save and approve' }))
      await settledTicket(connection, id)
      const last = await until('the agent to come to its end', async () => {
        const { tickets } = await connection.call('ticket.list', { task, open: false })
        return tickets.length >= 3 ? tickets : undefined
      })
      const kinds = last
        .filter(({ ask }) => ask.kind === 'permission')
        .map(({ answeredBy }) => answeredBy?.kind)
      expect(kinds.sort()).toEqual(['client', 'rule'])
      const { rules } = await connection.call('rule.list', { task })
      expect(rules).toMatchObject([{ pattern: shown, scope: 'task', hits: 1 }])
      expect(await badgeOf(page, 'Inbox')).toBeLessThanOrEqual(before)
      await connection.call('task.cancel', { requestId: requestId(), task })
    })

    it('that is a question takes an option, or the words of the person', async () => {
      const task = await dispatch(
        'Questions',
        'question Which colour? [red|blue] product',
        'question What name? product',
        'no-trailer',
      )
      const first = await openTicket(connection, task, 'Which colour?')
      const card = await openRow(page, 'Which colour?')
      const send = card.getByRole('button', { name: 'Send answer' })
      expect(await send.isDisabled()).toBe(true)
      await card.getByRole('radio', { name: 'blue' }).check()
      await clickToDecide(send)
      expect(await settledTicket(connection, first.id)).toMatchObject({
        answer: { kind: 'options', labels: ['blue'] },
      })
      const second = await openTicket(connection, task, 'What name?')
      const next = await openRow(page, 'What name?')
      await next.getByLabel('Your answer').fill('Bo\nor 小明')
      await clickToDecide(next.getByRole('button', { name: 'Send answer' }))
      expect(await settledTicket(connection, second.id)).toMatchObject({
        answer: { kind: 'text', text: 'Bo\nor 小明' },
      })
      await connection.call('task.cancel', { requestId: requestId(), task })
    })

    it('that was answered elsewhere says by whom, and the number falls', async () => {
      const task = await dispatch('Elsewhere', 'question Who answers? [me|you] product', 'no-trailer')
      const { id } = await openTicket(connection, task, 'Who answers?')
      const card = await openRow(page, 'Who answers?')
      await badgeBecomes(page, 'Inbox', 1)
      await answerElsewhere(connection, id, { kind: 'options', labels: ['you'] })
      await reads(card, 'test chose: you')
      await reads(card, 'The agent has it.')
      expect(await card.getByRole('button', { name: 'Send answer' }).count()).toBe(0)
      await isGone(inboxRow(page, 'Who answers?'))
      await badgeBecomes(page, 'Inbox', 0)
      await connection.call('task.cancel', { requestId: requestId(), task })
    })

    it('that nobody waits for any more says so and cannot be answered', async () => {
      const task = await dispatch('Expired', 'ask-permission echo expired', 'no-trailer')
      await openTicket(connection, task, 'echo expired')
      const card = await openRow(page, 'echo expired')
      await connection.call('task.cancel', { requestId: requestId(), task })
      await reads(card, 'The agent no longer waits for this.')
      expect(await card.getByRole('button', { name: 'Approve once' }).count()).toBe(0)
      expect(await eventsOf(connection, task, 'answered')).toHaveLength(0)
    })
  },
)
