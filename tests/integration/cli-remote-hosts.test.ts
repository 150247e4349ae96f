import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startRemote, type Remote } from '../support/remote.ts'
import { createRepository, type TestRepository } from '../support/repository.ts'
import { requires } from '../support/requirements.ts'

const needs = requires('sshd', 'tmux')

describe.skipIf(needs.skip)(needs.title('hosts that are reached over ssh'), () => {
  let remote: Remote
  let repo: TestRepository

  beforeAll(async () => {
    remote = await startRemote()
    repo = await createRepository()
  })
  afterAll(async () => {
    await remote.dispose()
    await repo.dispose()
  })

  it('are added, listed, checked and removed; agentd over there starts by itself', async () => {
    const added = await remote.addHost('box')
    expect(added.exitCode, String(added.stderr)).toBe(0)
    expect(added.stdout).toMatch(
      /^✓ box is ssh:\/\/handoff-test\n✓ box: reached as reviewer in [\d.]+ ms, agentd \S+, executors: .*demo/,
    )
    const { hosts } = await remote.json('host list', ['host', 'list'])
    expect(hosts).toEqual([
      { name: 'local', address: 'local', hasToken: false },
      { name: 'box', address: 'ssh://handoff-test', hasToken: false },
    ])
    const taken = await remote.addHost('box')
    expect([taken.exitCode, taken.stderr]).toEqual([1, expect.stringContaining('[host_name_taken]')])
    await remote.addHost('spare', remote.sshd.configFile, '--no-check')
    expect((await remote.handoff(['host', 'remove', 'spare'])).stdout).toContain('spare is forgotten')
    const gone = await remote.handoff(['host', 'check', 'spare'])
    expect([gone.exitCode, gone.stderr]).toEqual([1, expect.stringContaining('[host_unknown]')])
  })

  it('are refused when their name or address could be read as an option', async () => {
    for (const args of [
      ['-x', 'ssh://box'],
      ['--', '-x', 'ssh://box'],
      ['../x', 'ssh://box'],
      ['x', 'ssh://-oProxyCommand=id'],
      ['x', 'ssh://-l@box'],
      ['x', 'ssh://box/ -oProxyCommand=id'],
      ['local', 'ssh://box'],
    ]) {
      const { exitCode, stdout } = await remote.handoff(['host', 'add', '--no-check', ...args])
      expect([args, exitCode, stdout]).toEqual([args, args[0] === 'local' ? 1 : 2, ''])
    }
  })

  it('say in a sentence why they cannot be reached, and what to do', async () => {
    const dead = await remote.sshConfig('dead', (text) => text.replace(/Port \d+/, 'Port 1'))
    const keyless = await remote.sshConfig('keyless', (text) =>
      text.replace(/IdentityFile .*/, 'IdentityFile /dev/null'),
    )
    const strange = await remote.sshConfig('strange', (text) =>
      text.replace('accept-new', 'yes').replace(/(UserKnownHostsFile) .*/, `$1 ${remote.folder}/none`),
    )
    const other = path.join(remote.folder, 'other_key')
    await execa('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', other])
    const [type, key] = (await readFile(`${other}.pub`, 'utf8')).split(' ')
    await writeFile(
      path.join(remote.folder, 'known'),
      `[127.0.0.1]:${remote.sshd.port} ${type ?? ''} ${key ?? ''}\n`,
    )
    const changed = await remote.sshConfig('changed', (text) =>
      text.replace(/(UserKnownHostsFile) .*/, `$1 ${remote.folder}/known`),
    )
    const cases: [string, string, string[], RegExp][] = [
      ['dead', dead, [], /Connection refused \[host_unreachable\]\n +Try: ssh -F \S+ handoff-test/],
      ['keyless', keyless, [], /Permission denied.*\n +Nobody can type a password here/],
      ['strange', strange, [], /Host key verification failed.*\n +Its key is not known here yet/],
      ['changed', changed, [], /Host key verification failed.*\n +The host shows another key than before/],
      [
        'bare',
        remote.sshd.configFile,
        ['--command', 'no-such-handoff dial-stdio'],
        /Handoff is not installed on handoff-test.*\n +Install it there/,
      ],
    ]
    for (const [name, config, more, said] of cases) {
      const { stdout } = await remote.addHost(name, config, ...more)
      expect(stdout).toMatch(said)
      expect(String(stdout)).not.toMatch(/^\s+at /m)
      await remote.handoff(['host', 'remove', name])
    }
  })

  it('are asked over one connection a command, and only where a task is known to be', async () => {
    const { task } = await remote.dispatch(repo.path, ['ask-permission git status', 'commit x'])
    const sessions = async () => (await remote.sshdLog()).split('Starting session').length - 1
    for (const args of [
      ['wait', task.id],
      ['show', task.id.slice(0, 8)],
      ['tasks'],
      ['reply', task.id, '--approve'],
    ]) {
      const before = await sessions()
      expect((await remote.handoff(args)).exitCode).toBe(0)
      expect([args[0], await sessions()]).toEqual([args[0], before + 1])
    }
    await remote.wait(task.id)
    const here = await remote.json('dispatch', ['dispatch', '-e', 'demo', '--prompt', 'demo: commit x'], {
      cwd: repo.path,
    })
    const before = await sessions()
    expect((await remote.handoff(['show', here.task.id.slice(0, 8)])).exitCode).toBe(0)
    expect(await sessions()).toBe(before)
  })
})
