import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { tempDirForTest } from '../../tests/support/temp.ts'
import { ownCommand } from './own-command.ts'

const usualHome = path.join(os.homedir(), '.handoff')

async function installation(): Promise<{ root: string; distFolder: string; bin: string }> {
  const root = await fs.realpath(await tempDirForTest())
  const bin = path.join(root, 'bin')
  await fs.mkdir(bin)
  await fs.writeFile(path.join(bin, 'handoff'), '#!/bin/sh\n', { mode: 0o755 })
  return { root, distFolder: path.join(root, 'dist'), bin }
}

it('names the whole path where PATH does not lead to this command, and the name where a link in it does', async () => {
  const { root, distFolder, bin } = await installation()
  const links = path.join(root, 'links')
  await fs.mkdir(links)
  await fs.symlink(path.join(bin, 'handoff'), path.join(links, 'handoff'))
  const named = (PATH: string) => ownCommand({ distFolder, home: usualHome, env: { PATH } })
  expect(named('/usr/bin:/bin')).toBe(path.join(bin, 'handoff'))
  expect(named(`/usr/bin:${links}`)).toBe('handoff')
})

it('is not taken in by another handoff that comes first in PATH', async () => {
  const mine = await installation()
  const other = await installation()
  const PATH = `${other.bin}:${mine.bin}`
  expect(ownCommand({ distFolder: mine.distFolder, home: usualHome, env: { PATH } })).toBe(
    path.join(mine.bin, 'handoff'),
  )
})

it('names a home that is not the usual one, quoted for a shell', async () => {
  const { distFolder, bin } = await installation()
  expect(ownCommand({ distFolder, home: '/tmp/a home', env: { PATH: bin } })).toBe(
    "handoff --home '/tmp/a home'",
  )
})
