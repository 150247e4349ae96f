import { beforeAll, expect, it } from 'vitest'
import { dispatchDemo } from '../support/agentd.ts'
import { deskSuite } from '../support/desk-suite.ts'
import { eventually, goTo, inboxRow, isGone, openRow, PATIENCE_MS, reads } from '../support/desk-page.ts'
import { eventsOf, taskReaches } from '../support/host-side.ts'

const PLAN = `# Shout
demo: write shout.mjs export const shout = (text) =>\\n  text.toUpperCase()\\n\\nexport const whisper = (text) =>\\n  text.toLowerCase()
demo: write notes/words.md # Words\\n\\nNothing yet.
demo: commit Shout and whisper`

deskSuite('a review', {}, (desk) => {
  let task: string
  beforeAll(async () => {
    task = (await dispatchDemo(desk.local, desk.repo.path, PLAN, { title: 'Shout' })).id
    await taskReaches(desk.local, task, 'waiting_review')
  })

  const tree = () => desk.page.getByRole('region', { name: 'Changed files' }).first()
  const main = () => desk.page.getByRole('region', { name: 'Which changes' })
  /** The button on the number of a line, in the file that begins with the given text. */
  const lineNumber = (code: string, line: number) =>
    main()
      .locator('[data-index]')
      .filter({ hasText: code })
      .getByRole('button', { name: `Comment on line ${line}`, exact: true })
  const comment = async (text: string) => {
    await main().getByRole('textbox', { name: 'Comment', exact: true }).fill(text)
    await main().getByRole('button', { name: 'Save comment' }).click()
  }

  it('is reached from the inbox and shows every file', async () => {
    const card = await openRow(desk.page, 'Ready for review')
    await card.getByRole('button', { name: 'Review changes' }).click()
    await tree().getByText('2 files').waitFor({ timeout: PATIENCE_MS })
    await main().getByText('toUpperCase').waitFor({ timeout: PATIENCE_MS })
    await main().getByText('Nothing yet.').waitFor()
    expect(await desk.page.getByRole('button', { name: 'Send back' }).isDisabled()).toBe(true)
  })

  it('goes through the files with keys and clicks, also when all of them fit on the screen', async () => {
    const { keyboard } = desk.page
    const current = () => tree().locator('[aria-current=true]')
    const file = (name: string) => current().filter({ hasText: name })
    await file('words.md').waitFor()
    await keyboard.press(']')
    await file('shout.mjs').waitFor()
    await keyboard.press('v')
    await tree().getByText('1 viewed').waitFor()
    await isGone(main().getByText('toUpperCase'))
    await keyboard.press('v')
    await main().getByText('toUpperCase').waitFor()
    await keyboard.press('[')
    await file('words.md').waitFor()
    await tree().getByRole('button', { name: 'shout.mjs' }).click()
    await file('shout.mjs').waitFor()
  })

  it('has the keyboard from the beginning, also when it was opened with Enter', async () => {
    const { keyboard } = desk.page
    await goTo(desk.page, '/inbox')
    await inboxRow(desk.page, 'Ready for review').first().click({ timeout: PATIENCE_MS })
    await desk.page.getByRole('listbox').focus()
    await keyboard.press('Enter')
    await desk.page
      .getByRole('region', { name: 'The changes' })
      .and(desk.page.locator(':focus'))
      .waitFor({ timeout: PATIENCE_MS })
    await keyboard.press('ArrowDown')
    await keyboard.press('ArrowDown')
    await keyboard.press('c')
    await reads(main(), 'line 2')
    await keyboard.press('Escape')
    await isGone(main().getByRole('textbox', { name: 'Comment', exact: true }))
    await keyboard.press('ArrowDown')
    await keyboard.press('c')
    await reads(main(), 'line 3')
    await keyboard.press('Escape')
    await isGone(main().getByRole('textbox', { name: 'Comment', exact: true }))
  })

  it('remembers what was viewed', async () => {
    const head = main().locator('[data-index]').filter({ hasText: 'notes/words.md' })
    await head.getByRole('checkbox', { name: 'Viewed' }).check()
    await tree().getByText('1 viewed').waitFor()
    await isGone(main().getByText('Nothing yet.'))
    await desk.page.reload()
    await tree().getByText('1 viewed').waitFor({ timeout: PATIENCE_MS })
  })

  it('takes comments on a line and on a range, which can be changed and removed, also after a reload', async () => {
    await lineNumber('toUpperCase', 2).click()
    await comment('Also for null.')
    await lineNumber('whisper', 4).click()
    await lineNumber('toLowerCase', 5).click({ modifiers: ['Shift'] })
    await reads(main(), 'lines 4–5')
    await comment('Nobody asked for this. 删掉。')
    await lineNumber('shout = ', 1).click()
    await comment('Never mind')
    await desk.page.reload()
    await reads(main(), 'Also for null.')
    const third = main().locator('[data-index]').filter({ hasText: 'Never mind' })
    await third.getByRole('button', { name: 'Delete' }).click()
    await isGone(main().getByText('Never mind'))
    await desk.page.getByRole('button', { name: 'Send back 2 comments' }).waitFor()
  })

  it('sends back exactly the text of the preview, to the same session', async () => {
    const before = await desk.local.call('task.get', { task })
    await desk.page.getByRole('textbox', { name: 'General instruction' }).fill('Keep it small.')
    await desk.page.getByRole('button', { name: 'Send back 2 comments' }).click()
    const dialog = desk.page.getByRole('dialog')
    const field = dialog.getByRole('textbox', { name: 'Instruction' })
    const compiled = await field.inputValue()
    for (const part of [
      'Keep it small.',
      '`shout.mjs`, line 2:\n>   text.toUpperCase()\n\nAlso for null.',
      '`shout.mjs`, lines 4–5:',
      'Nobody asked for this. 删掉。',
    ])
      expect(compiled).toContain(part)
    const script = [
      'demo: fast',
      "demo: write shout.mjs export const shout = (text) =>\\n  (text ?? '').toUpperCase()",
      'demo: commit Only shout',
    ]
    const sent = [compiled, ...script].join('\n')
    await field.fill(sent)
    await dialog.getByRole('button', { name: 'Send back' }).click()
    await isGone(dialog)
    const after = await eventually('the second round to be ready', async () => {
      const found = await desk.local.call('task.get', { task })
      return found.task.round === 2 && found.task.state === 'waiting_review' ? found : undefined
    })
    expect(after.task.session).toBe(before.task.session)
    expect(await eventsOf(desk.local, task, 'continued')).toMatchObject([{ body: { round: 2, text: sent } }])
    await reads(desk.page.getByRole('region', { name: 'Shout' }), 'ready for review')
  })

  it('compares the second round with the first, and knows which file is new to the person', async () => {
    await goTo(desk.page, `/tasks/local/${task}/changes`)
    await tree().getByText('2 files').waitFor({ timeout: PATIENCE_MS })
    await tree().getByText('1 viewed').waitFor()
    await desk.page.getByRole('combobox', { name: 'Which changes' }).selectOption({ label: 'Round 2' })
    await tree().getByText('1 file').waitFor({ timeout: PATIENCE_MS })
    await reads(main(), "(text ?? '').toUpperCase()")
    await reads(main(), 'whisper')
    await desk.page.getByRole('combobox', { name: 'Which changes' }).selectOption({ label: 'All changes' })
    await isGone(main().getByText('whisper'))
    expect(await desk.page.getByRole('button', { name: 'Send back', exact: true }).isVisible()).toBe(true)
  })

  it('is shown side by side, and with marks on the words that changed', async () => {
    await desk.page.getByRole('combobox', { name: 'Which changes' }).selectOption({ label: 'Round 2' })
    await desk.page.getByRole('button', { name: 'How it is shown' }).click()
    await desk.page.getByRole('menuitem', { name: /Side by side/ }).click()
    const pair = main().locator('[data-index]').filter({ hasText: "(text ?? '')" })
    await reads(pair, 'text.toUpperCase()')
    await desk.page.getByRole('button', { name: 'How it is shown' }).click()
    await desk.page.getByRole('menuitem', { name: /Unified/ }).click()
  })

  it('runs a command on the host and shows what it prints', async () => {
    await desk.page.getByRole('button', { name: 'Run tests' }).click()
    await desk.page.getByRole('textbox', { name: 'Command' }).fill('cat shout.mjs; echo "in $PWD"; exit 3')
    await desk.page.keyboard.press('Enter')
    const panel = desk.page.getByRole('region', { name: /Run a command on/ })
    await reads(panel, 'Ended with 3')
    const { task: now } = await desk.local.call('task.get', { task })
    await reads(panel, `in ${now.worktree}`)
    await reads(panel, "(text ?? '').toUpperCase()")
  })

  it('is approved and finished', async () => {
    await desk.page.getByRole('button', { name: 'Approve and finish' }).click()
    const dialog = desk.page.getByRole('dialog')
    const push = dialog.getByRole('checkbox', { name: 'Push the branch' })
    await reads(dialog, 'The branch is not pushed: the repository has no remote for it.')
    expect(await push.count()).toBe(0)
    await desk.page.keyboard.press('Escape')
    await isGone(dialog)
    // What it is asked for is asked for anew.
    await desk.repo.git('remote', 'add', 'backup', `${desk.repo.path}/not-there.git`)
    await goTo(desk.page, '/tasks')
    await goTo(desk.page, `/tasks/local/${task}/changes`)
    await tree().getByText('2 files').waitFor({ timeout: PATIENCE_MS })
    await reads(main(), '2 commits')
    await desk.page.getByRole('button', { name: 'Approve and finish' }).click()
    await dialog.getByText('Push the branch to backup').waitFor({ timeout: PATIENCE_MS })
    await push.check()
    await dialog.getByRole('button', { name: 'Approve and finish' }).click()
    await reads(dialog, 'could not be pushed to backup')
    await push.uncheck()
    await dialog.getByRole('button', { name: 'Approve and finish' }).click()
    await reads(dialog, 'git merge handoff/')
    const { task: done } = await taskReaches(desk.local, task, 'completed')
    expect(await desk.repo.git('log', '--format=%s', done.branch)).toBe(
      'Only shout\nShout and whisper\nstart',
    )
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await goTo(desk.page, `/tasks/local/${task}/changes`)
    await tree().getByText('2 files').waitFor({ timeout: PATIENCE_MS })
    await desk.page.getByRole('heading', { name: 'Shout' }).waitFor()
    expect(await desk.page.getByRole('button', { name: 'Run tests' }).count()).toBe(0)
    await goTo(desk.page, '/inbox')
    await isGone(inboxRow(desk.page, 'Ready for review'))
  })

  it('says before and after the end that nothing was committed', async () => {
    await goTo(desk.page, '/tasks')
    const plan = '# Draft\ndemo: write draft.mjs // not yet'
    const { id } = await dispatchDemo(desk.local, desk.repo.path, plan, { title: 'Draft' })
    await taskReaches(desk.local, id, 'waiting_review')
    await goTo(desk.page, `/tasks/local/${id}/changes`)
    await desk.page.getByText('The agent has committed nothing of this').waitFor({ timeout: PATIENCE_MS })
    await desk.page.getByRole('button', { name: 'Approve and finish' }).click()
    const dialog = desk.page.getByRole('dialog')
    await dialog.getByText('the worktree is kept with the changes').waitFor()
    await dialog.getByRole('button', { name: 'Approve and finish' }).click()
    await taskReaches(desk.local, id, 'completed')
    await dialog.getByText('It has files that are not committed').waitFor({ timeout: PATIENCE_MS })
    await dialog.getByText('there is nothing to merge').waitFor()
    expect(await dialog.getByText('git merge').count()).toBe(0)
    await dialog.getByRole('button', { name: 'Close' }).last().click()
  })

  it('runs commands in a worktree that was kept, also when the task is finished', async () => {
    // The inbox opens by itself what comes first.
    await goTo(desk.page, '/tasks')
    const plan = '# Whisper\ndemo: write whisper.mjs // psst\ndemo: commit Whisper'
    const { id } = await dispatchDemo(desk.local, desk.repo.path, plan, { title: 'Whisper' })
    await taskReaches(desk.local, id, 'waiting_review')
    await goTo(desk.page, `/tasks/local/${id}/changes`)
    await desk.page.getByRole('button', { name: 'Approve and finish' }).click({ timeout: PATIENCE_MS })
    const dialog = desk.page.getByRole('dialog')
    await dialog.getByRole('checkbox', { name: 'Keep the worktree' }).check()
    await dialog.getByRole('button', { name: 'Approve and finish' }).click()
    await taskReaches(desk.local, id, 'completed')
    await dialog.getByRole('button', { name: 'Close' }).last().click({ timeout: PATIENCE_MS })
    await goTo(desk.page, `/tasks/local/${id}/changes`)
    await desk.page.getByRole('button', { name: 'Run tests' }).click({ timeout: PATIENCE_MS })
    await desk.page.getByRole('textbox', { name: 'Command' }).fill('cat whisper.mjs')
    await desk.page.keyboard.press('Enter')
    const panel = desk.page.getByRole('region', { name: /Run a command on/ })
    await reads(panel, 'Ended without an error')
    await reads(panel, 'psst')
  })
})
