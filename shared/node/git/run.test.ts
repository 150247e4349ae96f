import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { tempFolder, write } from '../../../tests/support/temp-repository.ts'
import { until } from '../../../tests/support/until.ts'
import { runGit, streamGit, type GitCall } from './run.ts'

const path = process.env['PATH'] ?? ''
let cwd = ''
const helper = () => join(cwd, 'helper')

/** A git whose helper, as one that fetches missing objects does, lives on and holds its output open. */
beforeEach(() => {
  cwd = tempFolder()
  write(cwd, 'bin/git', '#!/bin/sh\nsleep 60 &\necho $! > pid && mv pid helper\nwait\n')
  chmodSync(join(cwd, 'bin/git'), 0o755)
  process.env['PATH'] = `${join(cwd, 'bin')}:${path}`
})
afterEach(() => {
  process.env['PATH'] = path
  process.kill(Number(readFileSync(helper(), 'utf8')))
})

const ways = [
  ['runGit', (call: GitCall) => runGit(call)],
  ['streamGit', (call: GitCall) => streamGit(call, () => 'more')],
] as const

it.each(ways)(
  '%s does not wait for the helper of a git that was cancelled',
  { timeout: 20_000 },
  async (_, start) => {
    const cancel = new AbortController()
    const ended = expect(start({ cwd, args: ['diff'], signal: cancel.signal })).rejects.toMatchObject({
      code: 'cancelled',
    })
    await until('the helper', () => existsSync(helper()))
    cancel.abort()
    await ended
  },
)

it.each(ways)(
  '%s does not wait for the helper of a git that took too long',
  { timeout: 20_000 },
  async (_, start) => {
    const ended = start({ cwd, args: ['diff'], timeoutMs: 2_000 })
    await expect(ended).rejects.toMatchObject({ code: 'timeout' })
  },
)
