import { beforeAll, expect, it } from 'vitest'
import { deskSuite } from '../support/desk-suite.ts'
import { eventually, isGone, PATIENCE_MS, reads } from '../support/desk-page.ts'
import { taskReaches } from '../support/host-side.ts'

const PLAN = '# Say hello\ndemo: fast\ndemo: write hello.txt hello\ndemo: commit Say hello'

deskSuite('a new task', {}, (desk) => {
  beforeAll(() => desk.repo.write('draft.txt', 'not committed\n'))

  const dialog = () => desk.page.getByRole('dialog', { name: 'New task' })
  const start = () => dialog().getByRole('button', { name: 'Start' })

  it('opens with a key and says what would stop it before it starts', async () => {
    await desk.page.keyboard.press('n')
    await dialog().waitFor({ timeout: PATIENCE_MS })
    await dialog().getByLabel('Plan').fill(PLAN)
    const field = dialog().getByLabel('Repository')
    await field.fill(desk.host.root)
    await reads(dialog(), /git repository/)
    expect(await start().isDisabled()).toBe(true)
    await field.fill(`${desk.host.root}/is-not-there`)
    await reads(dialog(), /is-not-there is not a folder/)
    expect(await start().isDisabled()).toBe(true)
  })

  it('names the files that are not committed, and knows the branches', async () => {
    await dialog().getByLabel('Repository').fill(desk.repo.path)
    await reads(dialog(), /1 uncommitted file in .* stays where it is and is not part of the task\./)
    await reads(dialog(), 'Ready to start.')
    const base = dialog().getByLabel('Start from')
    expect(await base.locator('option').first().textContent()).toContain('main (checked out now)')
    await base.selectOption({ label: 'Another branch or commit…' })
    await dialog().getByPlaceholder('Branch, tag or commit').fill('no-such-branch')
    await reads(dialog(), /no-such-branch/)
    expect(await start().isDisabled()).toBe(true)
    await dialog().getByPlaceholder('Branch, tag or commit').fill('main')
    await reads(dialog(), 'Ready to start.')
  })

  it('keeps what was written when it is closed, and starts what was asked for', async () => {
    await desk.page.keyboard.press('Escape')
    await isGone(dialog())
    const opener = desk.page.getByRole('navigation').first().getByRole('button', { name: 'New task' })
    await opener.click()
    await eventually(
      'the plan to be there again',
      async () => (await dialog().getByLabel('Plan').inputValue()) === PLAN,
    )
    await desk.page.keyboard.press('Escape')
    await isGone(dialog())
    await eventually('the focus to be where it was', () =>
      opener.evaluate((button) => button === document.activeElement),
    )
    await opener.press('Enter')
    await dialog().getByLabel('Executor').selectOption({ value: 'demo' })
    await reads(dialog(), 'Ready to start.')
    await dialog().getByLabel('Plan').press('Control+Enter')
    await isGone(dialog())
    await desk.page.getByRole('region', { name: 'Say hello' }).waitFor({ timeout: PATIENCE_MS })
    const { tasks } = await desk.local.call('task.list', {})
    expect(tasks).toMatchObject([{ title: 'Say hello', executor: 'demo', inPlace: false }])
    const { task } = await taskReaches(desk.local, tasks[0]?.id ?? '', 'waiting_review')
    expect(await desk.repo.git('show', `${task.branch}:hello.txt`)).toBe('hello')
    expect(await desk.repo.git('status', '--porcelain')).toBe('?? draft.txt')
    await reads(desk.page.getByRole('region', { name: 'Say hello' }), 'ready for review')
  })
})
