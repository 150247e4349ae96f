import { deskSuite, type DeskSuiteOptions } from '../support/desk-suite.ts'
import { expect, it } from 'vitest'
import type { ModelScript } from '../../cli/demo/scripted-model/script.ts'
import { clickToDecide, eventually, openRow, PATIENCE_MS, reads } from '../support/desk-page.ts'
import { startOpencodeHost, type OpencodeHost } from '../support/opencode-host.ts'
import { opencodeScript } from '../support/opencode-script.ts'
import { until } from '../support/until.ts'

const commit: ModelScript['rules'][number] = {
  match: '#commit',
  steps: [
    {
      calls: [
        {
          name: 'bash',
          args: { command: 'echo one > one.txt && git add -A && git commit -qm One', description: 'Commit' },
        },
      ],
    },
    { text: 'It is done.\n\n{"summary": "One file more"}' },
  ],
}

let oc: OpencodeHost
const options: DeskSuiteOptions = {
  needs: ['opencode'],
  async host() {
    oc = await startOpencodeHost({
      script: { ...opencodeScript, rules: [commit, ...opencodeScript.rules] },
    })
    return oc
  },
}

deskSuite('the desk with a real agent', options, (desk) => {
  let task: string

  it('starts it from the window, and shows an edit as a diff before it happens', async () => {
    await eventually('agentd to find it', async () =>
      (await oc.call('host.info', {})).executors.some(
        ({ name, available }) => name === 'opencode' && available,
      ),
    )
    await desk.page.keyboard.press('n')
    const dialog = desk.page.getByRole('dialog', { name: 'New task' })
    await dialog.getByLabel('Plan').fill('Write it down #write')
    await dialog.getByLabel('Repository').fill(desk.repo.path)
    await dialog.getByLabel('Executor').selectOption({ value: 'opencode' })
    await reads(dialog, 'Ready to start.')
    await dialog.getByRole('button', { name: 'Start' }).click()
    await dialog.waitFor({ state: 'hidden', timeout: PATIENCE_MS })
    const { tasks } = await oc.call('task.list', {})
    task = tasks[0]?.id ?? ''
    await desk.page.keyboard.press('Control+1')
    const card = await openRow(desk.page, 'notes.txt')
    await reads(card, 'Edit a file')
    await reads(card.getByRole('group', { name: 'Change to the file' }), '+hello')
    await clickToDecide(card.getByRole('button', { name: 'Approve once' }))
  })

  it('answers it in the person’s own words, and the agent goes on with them', async () => {
    const card = await openRow(desk.page, 'Written.')
    await card.getByLabel('Your answer').fill('Do more #delegate')
    await clickToDecide(card.getByRole('button', { name: 'Send answer' }))
  })

  it('names the helper that asks', async () => {
    const card = await openRow(desk.page, 'touch inner.txt')
    await reads(card, 'Asked by its helper general: Inner work.')
    await card.getByRole('button', { name: 'Deny and say why…' }).click()
    await card.getByLabel('What should it do instead?').fill('leave it alone')
    await clickToDecide(card.getByRole('button', { name: 'Deny and go on' }))
    await until(
      'the helper to hear it',
      () => JSON.stringify(oc.model.requests.map(({ body }) => body)).includes('leave it alone'),
      { timeoutMs: 90_000 },
    )
  })

  it('reviews what it has committed', async () => {
    const card = await openRow(desk.page, 'The sub-agent is done.')
    await card.getByLabel('Your answer').fill('Now #commit')
    await clickToDecide(card.getByRole('button', { name: 'Send answer' }))
    const asked = await openRow(desk.page, 'git commit -qm One')
    await clickToDecide(asked.getByRole('button', { name: 'Approve once' }))
    const review = await openRow(desk.page, /Ready for review|One file more/)
    await reads(review, 'One file more')
    await review.getByRole('button', { name: 'Review changes' }).click()
    await desk.page.getByRole('region', { name: 'Changed files' }).first().getByText('one.txt').waitFor({
      timeout: PATIENCE_MS,
    })
    await desk.page.getByRole('button', { name: 'Approve and finish' }).click()
    const finish = desk.page.getByRole('dialog')
    await finish.getByRole('button', { name: 'Approve and finish' }).click()
    await reads(finish, 'git merge handoff/')
    const { task: done } = await oc.call('task.get', { task })
    expect(done.state).toBe('completed')
    expect(await desk.repo.git('log', '-1', '--format=%s', done.branch)).toBe('One')
  })
})
