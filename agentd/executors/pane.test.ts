import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { tempDirForTest } from '../../tests/support/temp.ts'
import { paneCommand } from './pane-command.ts'
import { writePaneSpec, type PaneSpec } from './pane-spec.ts'

async function runPane(spec: PaneSpec) {
  const specPath = join(await tempDirForTest(), 'spec.json')
  await writePaneSpec(specPath, spec)
  const mode = (await stat(specPath)).mode & 0o777
  const [file, ...args] = paneCommand(specPath)
  const child = spawn(file, args, {
    env: { TERM: 'tmux-256color', AGENTD_SECRET: 'x', PATH: '/usr/bin:/bin' },
  })
  const [stdout, stderr, exitCode] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((settle) => child.once('close', settle)),
  ])
  return { pid: child.pid, stdout, stderr, exitCode, mode, specIsGone: !existsSync(specPath) }
}

describe('the pane program', () => {
  it('becomes the program: same process, its environment and folder only, and no trace of the specification', async () => {
    const cwd = await tempDirForTest()
    const script = 'echo $$; pwd; env; grep SigIgn /proc/self/status || true'
    const result = await runPane({
      argv: ['sh', '-c', script],
      cwd,
      environment: { PATH: '/usr/bin:/bin', TOKEN: 's3' },
    })
    const lines = result.stdout.trim().split('\n')
    expect(lines[0]).toBe(String(result.pid))
    expect(lines[1]).toBe(cwd)
    expect(lines).toEqual(expect.arrayContaining(['TOKEN=s3', 'TERM=tmux-256color', `PWD=${cwd}`]))
    expect(result.stdout).not.toContain('AGENTD_SECRET')
    if (process.platform === 'linux') expect(lines.at(-1)).toMatch(/SigIgn:\s+0{16}/)
    expect(result).toMatchObject({ mode: 0o600, specIsGone: true, exitCode: 0 })
  })

  it("finds the program in the specification's PATH and not in its own", async () => {
    const folder = await tempDirForTest()
    await writeFile(join(folder, 'tool'), '#!/bin/sh\necho mine "$@"\n')
    await chmod(join(folder, 'tool'), 0o755)
    const result = await runPane({
      argv: ['tool', 'a b'],
      cwd: '/',
      environment: { PATH: `/nope:${folder}` },
    })
    expect(result.stdout).toBe('mine a b\n')
  })

  it.each([
    [{ argv: ['no-such-program'], cwd: '/' }, 'The program no-such-program was not found in PATH: /usr/bin'],
    [{ argv: ['/etc/passwd'], cwd: '/' }, 'The program /etc/passwd was not found'],
    [{ argv: ['sh'], cwd: '/no/such/folder' }, 'The folder /no/such/folder cannot be entered.'],
  ])('says what is missing and exits 127: %j', async (spec, sentence) => {
    const result = await runPane({ ...spec, environment: { PATH: '/usr/bin' } })
    expect(result.exitCode).toBe(127)
    expect(result.stderr).toContain(sentence)
    expect(result.stderr.trim().split('\n')).toHaveLength(1)
  })

  it('does not write through a link that lies where the specification goes', async () => {
    const folder = await tempDirForTest()
    await writeFile(join(folder, 'victim'), 'precious')
    await symlink(join(folder, 'victim'), join(folder, 'spec.json'))
    await writePaneSpec(join(folder, 'spec.json'), { argv: ['sh'], cwd: '/', environment: {} })
    expect(await readFile(join(folder, 'victim'), 'utf8')).toBe('precious')
  })
})
