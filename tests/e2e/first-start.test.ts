import { expect, it } from 'vitest'
import { deskSuite } from '../support/desk-suite.ts'
import {
  eventually,
  badgeBecomes,
  decides,
  inboxRow,
  isGone,
  openRow,
  PATIENCE_MS,
  reads,
  tabTo,
  ticketCard,
} from '../support/desk-page.ts'
import { taskReaches } from '../support/host-side.ts'
import { until } from '../support/until.ts'

deskSuite('the first start', { settings: 'first start' }, (desk) => {
  let taskId: string

  it('says what this is, with a host already there and a task one key away', async () => {
    await reads(desk.page, 'Nothing needs you yet')
    await desk.page.getByLabel('Sections').getByText('This computer').waitFor()
    await tabTo(desk.page, 'Try the demo task')
    await desk.page.keyboard.press('Enter')
    await ticketCard(desk.page).waitFor({ timeout: PATIENCE_MS })
    const { tasks } = await desk.local.call('task.list', {})
    expect(tasks).toHaveLength(1)
    taskId = tasks[0]?.id ?? ''
  })

  it('opens the first request by itself, which is approved with a key', async () => {
    const card = ticketCard(desk.page).filter({ hasText: 'node --test greet.test.mjs' })
    await card.waitFor({ timeout: PATIENCE_MS })
    await reads(card, 'The agent waits; nothing has run.')
    const approve = card.getByRole('button', { name: 'Approve once' })
    await decides(
      () => desk.page.keyboard.press('Control+Enter'),
      async () => !(await approve.isVisible()),
    )
  })

  it('goes on to the question, answered with a number and a key', async () => {
    await inboxRow(desk.page, 'How shall a greeting').waitFor({ timeout: PATIENCE_MS })
    await badgeBecomes(desk.page, 'Inbox', 1)
    await desk.page.keyboard.press('j')
    const card = ticketCard(desk.page).filter({ hasText: 'How shall a greeting' })
    await card.waitFor({ timeout: PATIENCE_MS })
    await desk.page.keyboard.press('2')
    const chosen = card.getByRole('radio', { name: 'Hello, stranger!' })
    await eventually('the option to be chosen', () => chosen.isChecked())
    await decides(
      () => desk.page.keyboard.press('Control+Enter'),
      async () => !(await chosen.isVisible()),
    )
  })

  it('asks for something dangerous, approved by holding the keys down', async () => {
    await inboxRow(desk.page, 'rm -rf').waitFor({ timeout: PATIENCE_MS })
    await desk.page.keyboard.press('j')
    const card = ticketCard(desk.page).filter({ hasText: 'rm -rf' })
    await card.waitFor({ timeout: PATIENCE_MS })
    const hold = card.getByRole('button', { name: /Hold to approve/ })
    await decides(
      async () => {
        await desk.page.keyboard.down('Control')
        await desk.page.keyboard.down('Enter')
        await until('the hold to count', async () => !(await hold.isVisible()), {
          timeoutMs: 4_000,
        }).finally(async () => {
          await desk.page.keyboard.up('Enter')
          await desk.page.keyboard.up('Control')
        })
      },
      async () => !(await hold.isVisible()),
    )
  })

  it('delivers something to review, which is approved and finished', async () => {
    const card = await openRow(desk.page, 'Ready for review')
    await card.getByRole('button', { name: 'Review changes' }).click()
    const tree = desk.page.getByRole('region', { name: 'Changed files' }).first()
    await tree.getByText('greet.test.mjs').waitFor({ timeout: PATIENCE_MS })
    await tree.getByText('2 files').waitFor()
    await desk.page
      .getByText("name === undefined ? 'Hello, stranger!'")
      .first()
      .waitFor({ timeout: PATIENCE_MS })
    await desk.page.getByRole('button', { name: 'Approve and finish' }).click()
    const dialog = desk.page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Approve and finish' }).click()
    await reads(dialog, 'git merge handoff/')
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await isGone(dialog)
    await desk.page
      .getByRole('region', { name: /Greet people/ })
      .getByText('finished', { exact: true })
      .waitFor()
    await taskReaches(desk.local, taskId, 'completed')
  })

  it('leaves an inbox that is quiet, and no greeting the next time', async () => {
    await desk.page.keyboard.press('Control+1')
    await reads(desk.page, 'Nothing needs you')
    await badgeBecomes(desk.page, 'Inbox', 0)
    await desk.page.reload()
    await reads(desk.page, 'No task is running.')
    expect(await desk.page.getByText('Nothing needs you yet').count()).toBe(0)
  })
})
