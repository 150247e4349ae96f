import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requires } from './requirements.ts'
import { startSshd, type Sshd } from './sshd.ts'

const needs = requires('sshd')

describe.skipIf(needs.skip)(needs.title('the loopback ssh server of the tests'), () => {
  let sshd: Sshd
  beforeAll(async () => {
    sshd = await startSshd({ env: { GREETING: 'hello there' } })
  })
  afterAll(() => sshd.dispose())

  it('runs a command that sees the given environment and our own handoff', async () => {
    const { stdout } = await execa('ssh', [
      ...sshd.sshArgs,
      sshd.host,
      'echo "$GREETING"; command -v handoff',
    ])
    expect(stdout).toMatch(/^hello there\n.*\/bin\/handoff$/)
  })

  it('hands plain `ssh` the right configuration through a folder in PATH', async () => {
    const env = { PATH: `${sshd.pathDir}:${process.env['PATH']}` }
    const { stdout } = await execa('ssh', [sshd.host, 'echo in'], { env })
    expect(stdout).toBe('in')
  })

  it('drops open connections and goes on serving', async () => {
    const open = execa('ssh', [...sshd.sshArgs, sshd.host, 'echo up; cat'], { reject: false, stdin: 'pipe' })
    await new Promise((resolve) => open.stdout.once('data', resolve))
    await sshd.dropConnections()
    expect((await open).exitCode).toBe(255)
    const { stdout } = await execa('ssh', [...sshd.sshArgs, sshd.host, 'echo back'])
    expect(stdout).toBe('back')
  })
})
