import { readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startRemote, type Remote } from '../support/remote.ts'
import { createRepository, type TestRepository } from '../support/repository.ts'
import { requires } from '../support/requirements.ts'

const needs = requires('sshd', 'tmux')

describe.skipIf(needs.skip)(needs.title('hosts that are away'), () => {
  let remote: Remote
  let repo: TestRepository

  beforeAll(async () => {
    remote = await startRemote()
    repo = await createRepository()
    await remote.addHost('box')
  })
  afterAll(async () => {
    await remote.dispose()
    await repo.dispose()
  })

  it('hold up no other, and what was known of them is told with its age and the retry', async () => {
    const { task } = await remote.dispatch(repo.path, ['ask-permission git status', 'commit x'])
    await remote.wait(task.id)
    const working = await readFile(remote.sshd.configFile, 'utf8')
    await writeFile(remote.sshd.configFile, working.replace(/Port \d+/, 'Port 1'))
    const silent = await remote.sshConfig('silent', (text) =>
      text.replace('Host handoff-test', 'Host handoff-test\n  ProxyCommand sleep 30'),
    )
    await remote.addHost('silent', silent, '--no-check')

    const startedAt = performance.now()
    const listed = await remote.handoff(['tasks'])
    expect(performance.now() - startedAt).toBeLessThan(15_000)
    expect(listed.exitCode).toBe(0)
    expect(listed.stdout).toMatch(new RegExp(`${task.id.slice(0, 8)} .* box .* \\*`))
    expect(listed.stderr).toMatch(
      /! box cannot be reached, its tasks \(\*\) are as of (just now|\d+\w ago): .*refused/,
    )
    expect(listed.stderr).toMatch(
      /! silent cannot be reached, nothing is known of its tasks: silent did not answer in time/,
    )
    expect(listed.stderr).toContain('Retry: handoff host check box')

    const shown = await remote.handoff(['show', task.id])
    expect(shown.exitCode).toBe(1)
    expect(shown.stdout).toMatch(/as of (just now|\d+\w ago); box cannot be reached now/)
    expect(shown.stderr).toMatch(/Retry: handoff host check box/)
    const json = await remote.json('show', ['show', task.id])
    expect(json).toMatchObject({ task: { id: task.id, host: 'box' }, knownAt: expect.any(Number) })
    const replied = await remote.handoff(['reply', task.id, '--approve'])
    expect([replied.exitCode, replied.stdout]).toEqual([1, ''])
    expect(replied.stderr).toMatch(
      /lives on box \(last seen .*\), which cannot be reached.*\[host_unreachable\]/,
    )
    const waited = await remote.handoff(['wait', task.id, '--timeout', '2'])
    expect([waited.exitCode, waited.stdout]).toEqual([124, ''])
    expect(waited.stderr).toMatch(/^! box cannot be reached \(.*\); trying again until it is back$/m)

    // A wait that began without its host gets the event when the host is back.
    const waiting = remote.handoff(['wait', task.id, '--timeout', '60'], {
      env: { HANDOFF_CLIENT: 'patient' },
    })
    await new Promise<void>((resolve) => waiting.stderr?.once('data', () => resolve()))
    await writeFile(remote.sshd.configFile, working)
    const { exitCode, stdout, stderr } = await waiting
    expect(exitCode).toBe(0)
    expect(stdout).toContain('"permission_request"')
    expect(stderr).toContain('✓ box is back')
  })
})
