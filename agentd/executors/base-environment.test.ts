import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDirForTest } from '../../tests/support/temp.ts'
import { until } from '../../tests/support/until.ts'
import { executorEnvironment, resolveBaseEnvironment } from './base-environment.ts'
import { survivors } from './reap.ts'

/** A home whose login shell is the real `sh` (or `bash`) with this start-up file. */
async function homeWith(files: Record<string, string>): Promise<NodeJS.ProcessEnv> {
  const home = await tempDirForTest()
  for (const [name, text] of Object.entries(files)) await writeFile(join(home, name), text)
  return {
    HOME: home,
    PATH: '/usr/bin:/bin',
    USER: 'ann',
    https_proxy: 'http://own:1',
    NODE_OPTIONS: '--inspect',
  }
}

describe('resolveBaseEnvironment', () => {
  it("finds the login shell's PATH and proxies behind whatever the start-up files print", async () => {
    const environment = await homeWith({
      '.bash_profile':
        'echo welcome; printf "\\0noise\\n"; export PATH="/opt/mine:$PATH" NO_PROXY=localhost; . ~/.bashrc',
      '.bashrc': 'case $- in *i*) export PATH="/opt/interactive:$PATH";; esac',
    })
    const base = await resolveBaseEnvironment({ shell: '/bin/bash', environment })
    expect(base.problem).toBeUndefined()
    expect(base.path).toMatch(/^\/opt\/interactive:\/opt\/mine:/)
    expect(base.proxies).toEqual({
      no_proxy: 'localhost',
      NO_PROXY: 'localhost',
      https_proxy: 'http://own:1',
      HTTPS_PROXY: 'http://own:1',
    })
  })

  it('falls back to a shell that is not interactive when the interactive one never answers', async () => {
    const environment = await homeWith({
      '.bash_profile': 'export PATH="/opt/mine:$PATH"; case $- in *i*) sleep 600;; esac',
    })
    const base = await resolveBaseEnvironment({ shell: '/bin/bash', environment, timeoutMs: 700 })
    expect(base.path).toMatch(/^\/opt\/mine:/)
    expect(base.problem).toContain('did not answer within 700 ms')
  })

  it('keeps its own PATH and says why when the shell hangs, and leaves nothing running', async () => {
    const mark = `base-${process.pid}-${Date.now()}`
    const environment = await homeWith({
      '.bash_profile': `export HANDOFF_TASK=${mark}; sleep 600 & sleep 600`,
    })
    const base = await resolveBaseEnvironment({ shell: '/bin/bash', environment, timeoutMs: 300 })
    expect(base).toMatchObject({
      path: '/usr/bin:/bin',
      problem: expect.stringContaining('/bin/bash') as string,
    })
    await until('no child is left', () => survivors(mark).length === 0)
  })

  it.each([
    ['/no/such/shell', 'does not exist'],
    ['/bin/false', 'ended with 1'],
    ['bash', 'not an absolute path'],
  ])('says what is wrong with %s', async (shell, why) => {
    const base = await resolveBaseEnvironment({ shell, environment: await homeWith({}) })
    expect(base).toMatchObject({ path: '/usr/bin:/bin', problem: expect.stringContaining(why) as string })
  })
})

describe('executorEnvironment', () => {
  const base = { path: '/opt/bin:/usr/bin', proxies: { https_proxy: 'http://p', HTTPS_PROXY: 'http://p' } }

  it("passes on who the person is and nothing of agentd's own", () => {
    const environment = {
      ...{
        HOME: '/home/ann',
        USER: 'ann',
        LANG: 'de_DE.UTF-8',
        XDG_RUNTIME_DIR: '/run/user/1',
        LC_ALL: 'C.UTF-8',
      },
      ...{
        NODE_OPTIONS: '--inspect',
        TMUX: '/tmp/x',
        CLAUDECODE: '1',
        HANDOFF_TOKEN: 'secret',
        PATH: '/poor',
      },
    }
    expect(executorEnvironment({ base, files: { A: '1' }, taskId: 't', environment })).toEqual({
      ...{
        HOME: '/home/ann',
        USER: 'ann',
        LANG: 'de_DE.UTF-8',
        XDG_RUNTIME_DIR: '/run/user/1',
        LC_ALL: 'C.UTF-8',
      },
      ...{ TERM: 'xterm-256color', COLORTERM: 'truecolor', PATH: '/opt/bin:/usr/bin' },
      ...{ https_proxy: 'http://p', HTTPS_PROXY: 'http://p', A: '1', HANDOFF_TASK: 't' },
    })
  })

  it('lets a file set PATH and a proxy in either spelling, but never the mark', () => {
    const files = { PATH: '/mine', HTTPS_PROXY: 'http://other', HANDOFF_TASK: 'forged' }
    const made = executorEnvironment({ base, files, taskId: 't', environment: {} })
    expect(made).toMatchObject({
      PATH: '/mine',
      https_proxy: 'http://other',
      HTTPS_PROXY: 'http://other',
      HANDOFF_TASK: 't',
    })
  })
})
