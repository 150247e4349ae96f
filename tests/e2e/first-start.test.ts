import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HostConnection } from '../../shared/node/host-client/connection.ts'
import { startHost, type TestHost } from '../support/agentd.ts'
import { chromiumForTests } from '../support/chromium.ts'
import {
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
import { shellsUnderTest, startDeskUnderTest, type DeskUnderTest } from '../support/desk-under-test.ts'
import { picturesOfFailures } from '../support/failure-pictures.ts'
import { taskReaches } from '../support/host-side.ts'
import { requires } from '../support/requirements.ts'
import { until } from '../support/until.ts'

const needs = requires('git', 'tmux', 'chromium')
const chromium = chromiumForTests()

describe.skipIf(needs.skip).each(shellsUnderTest({ alsoStandIn: true }))(
  needs.title('the first start, in the shell %s'),
  (shell) => {
    let host: TestHost
    let desk: DeskUnderTest
    let page: Page
    let connection: HostConnection
    let taskId: string

    picturesOfFailures(() => page)
    beforeAll(async () => {
      host = await startHost()
      desk = await startDeskUnderTest(shell, { host, chromium })
      page = await desk.page()
      connection = await host.connect()
    })
    afterAll(async () => {
      connection?.close()
      await desk?.dispose()
      await host?.dispose()
    })

    it('says what this is, with a host already there and a task one key away', async () => {
      await reads(page, 'Nothing needs you yet')
      await page.getByLabel('Sections').getByText('This computer').waitFor()
      await tabTo(page, 'Try the demo task')
      await page.keyboard.press('Enter')
      await ticketCard(page).waitFor({ timeout: PATIENCE_MS })
      const { tasks } = await connection.call('task.list', {})
      expect(tasks).toHaveLength(1)
      taskId = tasks[0]?.id ?? ''
    })

    it('opens the first request by itself, which is approved with a key', async () => {
      const card = ticketCard(page).filter({ hasText: 'node --test greet.test.mjs' })
      await card.waitFor({ timeout: PATIENCE_MS })
      await reads(card, 'The agent waits; nothing has run.')
      const approve = card.getByRole('button', { name: 'Approve once' })
      await decides(
        () => page.keyboard.press('Control+Enter'),
        async () => !(await approve.isVisible()),
      )
    })

    it('goes on to the question, answered with a number and a key', async () => {
      await inboxRow(page, 'How shall a greeting').waitFor({ timeout: PATIENCE_MS })
      await badgeBecomes(page, 'Inbox', 1)
      await page.keyboard.press('j')
      const card = ticketCard(page).filter({ hasText: 'How shall a greeting' })
      await card.waitFor({ timeout: PATIENCE_MS })
      await page.keyboard.press('2')
      const chosen = card.getByRole('radio', { name: 'Hello, stranger!' })
      await until('the option to be chosen', () => chosen.isChecked())
      await decides(
        () => page.keyboard.press('Control+Enter'),
        async () => !(await chosen.isVisible()),
      )
    })

    it('asks for something dangerous, approved by holding the keys down', async () => {
      await inboxRow(page, 'rm -rf').waitFor({ timeout: PATIENCE_MS })
      await page.keyboard.press('j')
      const card = ticketCard(page).filter({ hasText: 'rm -rf' })
      await card.waitFor({ timeout: PATIENCE_MS })
      const hold = card.getByRole('button', { name: /Hold to approve/ })
      await decides(
        async () => {
          await page.keyboard.down('Control')
          await page.keyboard.down('Enter')
          await until('the hold to count', async () => !(await hold.isVisible()), {
            timeoutMs: 4_000,
          }).finally(async () => {
            await page.keyboard.up('Enter')
            await page.keyboard.up('Control')
          })
        },
        async () => !(await hold.isVisible()),
      )
    })

    it('delivers something to review, which is approved and finished', async () => {
      const card = await openRow(page, 'Ready for review')
      await card.getByRole('button', { name: 'Review changes' }).click()
      const tree = page.getByRole('region', { name: 'Changed files' }).first()
      await tree.getByText('greet.test.mjs').waitFor({ timeout: PATIENCE_MS })
      await tree.getByText('2 files').waitFor()
      await page.getByRole('button', { name: 'Approve and finish' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Approve and finish' }).click()
      await reads(dialog, 'Finished.')
      await dialog.getByRole('button', { name: 'Close' }).last().click()
      await isGone(dialog)
      await page
        .getByRole('region', { name: /Greet people/ })
        .getByText('finished', { exact: true })
        .waitFor()
      await taskReaches(connection, taskId, 'completed')
    })

    it('leaves an inbox that is quiet, and no greeting the next time', async () => {
      await page.keyboard.press('Control+1')
      await reads(page, 'Nothing needs you')
      await badgeBecomes(page, 'Inbox', 0)
      await page.reload()
      await reads(page, 'No task is running.')
      expect(await page.getByText('Nothing needs you yet').count()).toBe(0)
    })
  },
)
