import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDirForTest } from '../../tests/support/temp.ts'
import { until } from '../../tests/support/until.ts'
import { browserProgram, openInBrowser } from './open-browser.ts'

describe('the program that shows a page', () => {
  it.each([
    ['a Mac', {}, 'darwin', 'open'],
    ['a desktop', { DISPLAY: ':0' }, 'linux', 'xdg-open'],
    ['a Wayland desktop', { WAYLAND_DISPLAY: 'wayland-0' }, 'linux', 'xdg-open'],
    ['a server', {}, 'linux', undefined],
    ['a session over ssh', { DISPLAY: 'localhost:10.0', SSH_CONNECTION: 'x' }, 'linux', undefined],
  ] as const)('is known on %s', (_where, env, platform, program) =>
    expect(browserProgram(env, platform)).toBe(program),
  )
})

describe('opening a page', () => {
  it('keeps the ticket out of the arguments, in a file for this user alone', async () => {
    const home = await tempDirForTest()
    mkdirSync(join(home, 'desk'))
    const [program, seen] = [join(home, 'browser'), join(home, 'seen')]
    writeFileSync(program, `#!/bin/sh\nprintf %s "$*" > ${seen}.part && mv ${seen}.part ${seen}\n`)
    chmodSync(program, 0o755)
    const url = 'http://127.0.0.1:7440/#ticket=abc'
    expect(await openInBrowser(program, { url, home, env: { PATH: process.env['PATH'] } })).toBe(true)
    await until('the browser to start', () => existsSync(seen))
    const file = readFileSync(seen, 'utf8')
    expect(file).not.toContain('abc')
    expect(readFileSync(file, 'utf8')).toContain(`content="0;url=${url}"`)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('says so when there is no such program', async () => {
    const home = await tempDirForTest()
    mkdirSync(join(home, 'desk'))
    const url = 'http://127.0.0.1:7440/#ticket=abc'
    expect(await openInBrowser(join(home, 'none'), { url, home, env: {} })).toBe(false)
    expect(readdirSync(join(home, 'desk'))).toHaveLength(1)
  })
})
