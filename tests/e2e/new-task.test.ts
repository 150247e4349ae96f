import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HostConnection } from '../../shared/node/host-client/connection.ts'
import { startHost, type TestHost } from '../support/agentd.ts'
import { chromiumForTests } from '../support/chromium.ts'
import { isGone, PATIENCE_MS, reads } from '../support/desk-page.ts'
import { shellsUnderTest, startDeskUnderTest, type DeskUnderTest } from '../support/desk-under-test.ts'
import { picturesOfFailures } from '../support/failure-pictures.ts'
import { taskReaches } from '../support/host-side.ts'
import { createRepository, type TestRepository } from '../support/repository.ts'
import { requires } from '../support/requirements.ts'
import { until } from '../support/until.ts'

const needs = requires('git', 'tmux', 'chromium')
const chromium = chromiumForTests()
const PLAN = '# Say hello\ndemo: fast\ndemo: write hello.txt hello\ndemo: commit Say hello'

describe.skipIf(needs.skip).each(shellsUnderTest())(needs.title('a new task, in the shell %s'), (shell) => {
  let host: TestHost
  let desk: DeskUnderTest
  let page: Page
  let connection: HostConnection
  let repo: TestRepository

  picturesOfFailures(() => page)
  beforeAll(async () => {
    ;[host, repo] = await Promise.all([startHost(), createRepository()])
    await repo.write('draft.txt', 'not committed\n')
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

  const dialog = () => page.getByRole('dialog', { name: 'New task' })
  const start = () => dialog().getByRole('button', { name: 'Start' })

  it('opens with a key and says what would stop it before it starts', async () => {
    await page.keyboard.press('n')
    await dialog().waitFor({ timeout: PATIENCE_MS })
    await dialog().getByLabel('Plan').fill(PLAN)
    const field = dialog().getByLabel('Repository')
    await field.fill(host.root)
    await reads(dialog(), /git repository/)
    expect(await start().isDisabled()).toBe(true)
    await field.fill(`${host.root}/is-not-there`)
    await reads(dialog(), /is-not-there is not a folder/)
    expect(await start().isDisabled()).toBe(true)
  })

  it('names the files that are not committed, and knows the branches', async () => {
    await dialog().getByLabel('Repository').fill(repo.path)
    await reads(dialog(), /1 uncommitted file in .* stays where it is and is not part of the task\./)
    await reads(dialog(), 'Ready to start.')
    const base = dialog().getByLabel('Start from')
    expect(await base.locator('option').first().textContent()).toContain('main (where the repository is)')
    await base.selectOption({ label: 'Another branch or commit…' })
    await dialog().getByPlaceholder('Branch, tag or commit').fill('no-such-branch')
    await reads(dialog(), /no-such-branch/)
    expect(await start().isDisabled()).toBe(true)
    await dialog().getByPlaceholder('Branch, tag or commit').fill('main')
    await reads(dialog(), 'Ready to start.')
  })

  it('keeps what was written when it is closed, and starts what was asked for', async () => {
    await page.keyboard.press('Escape')
    await isGone(dialog())
    await page.getByRole('navigation').first().getByRole('button', { name: 'New task' }).click()
    await until(
      'the plan to be there again',
      async () => (await dialog().getByLabel('Plan').inputValue()) === PLAN,
    )
    await dialog().getByLabel('Executor').selectOption({ value: 'demo' })
    await reads(dialog(), 'Ready to start.')
    await dialog().getByLabel('Plan').press('Control+Enter')
    await isGone(dialog())
    await page.getByRole('region', { name: 'Say hello' }).waitFor({ timeout: PATIENCE_MS })
    const { tasks } = await connection.call('task.list', {})
    expect(tasks).toMatchObject([{ title: 'Say hello', executor: 'demo', inPlace: false }])
    const { task } = await taskReaches(connection, tasks[0]?.id ?? '', 'waiting_review')
    expect(await repo.git('show', `${task.branch}:hello.txt`)).toBe('hello')
    expect(await repo.git('status', '--porcelain')).toBe('?? draft.txt')
    await reads(page.getByRole('region', { name: 'Say hello' }), 'ready for review')
  })
})
