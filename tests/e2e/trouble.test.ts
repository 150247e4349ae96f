import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createHostStore } from '../../shared/node/hosts/host-store.ts'
import { deskSuite } from '../support/desk-suite.ts'
import { goTo, isGone, PATIENCE_MS, reads } from '../support/desk-page.ts'

deskSuite('what is wrong', { shells: ['browser'] }, (desk) => {
  it('with the list of hosts is said where hosts are looked for, until it is repaired', async () => {
    createHostStore(desk.host.home).add({ name: 'box', address: 'ws://127.0.0.1:1' })
    const file = path.join(desk.host.home, 'hosts.json')
    const good = readFileSync(file, 'utf8')
    await writeFile(file, good.slice(0, 30))
    for (const section of ['/inbox', '/hosts']) {
      await goTo(desk.page, section)
      const alert = desk.page.getByRole('alert').filter({ hasText: file })
      await alert.getByText('The list of your hosts cannot be read:').waitFor({ timeout: PATIENCE_MS })
    }
    expect(readFileSync(file, 'utf8')).toBe(good.slice(0, 30))
    await desk.page.getByRole('button', { name: 'Read it again' }).click()
    await writeFile(file, good)
    await isGone(desk.page.getByRole('alert').filter({ hasText: file }))
  })

  it('with a host that answers nothing is seen after a second, and nobody has to wait for it', async () => {
    const pid = desk.host.pid() ?? 0
    await goTo(desk.page, '/hosts/local')
    // With the list of hosts read anew it may just be connecting.
    await reads(desk.page.locator('main'), 'Connected, and everything it knows is here.')
    await goTo(desk.page, '/settings/rules')
    process.kill(pid, 'SIGSTOP')
    onTestFinished(() => void process.kill(pid, 'SIGCONT'))
    await goTo(desk.page, '/hosts/local')
    const waiting = desk.page.getByText('Waiting for This computer…')
    await waiting.waitFor({ timeout: PATIENCE_MS })
    // What is asked when the line is there already is not waited for either.
    await goTo(desk.page, '/settings/audit')
    await desk.page.getByRole('button', { name: 'Stop waiting' }).click()
    await desk.page.getByText('This did not wait any longer for local.').waitFor({ timeout: PATIENCE_MS })
    await isGone(waiting)
    process.kill(pid, 'SIGCONT')
    await desk.page.getByRole('button', { name: 'Try again' }).click()
    await isGone(desk.page.getByText('This did not wait any longer for local.'))
  })
})
