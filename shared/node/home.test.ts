import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { homePaths, openHome, privateFolder } from './home.ts'

let folder = ''
beforeEach(async () => {
  folder = await fs.realpath(await fs.mkdtemp(path.join(os.tmpdir(), 'handoff-home-')))
})
afterEach(() => fs.rm(folder, { recursive: true, force: true }))

const modeOf = async (name: string) => (await fs.stat(name)).mode & 0o777

it('is ~/.handoff unless HANDOFF_HOME says otherwise', () => {
  expect(homePaths({}).root).toBe(path.join(os.homedir(), '.handoff'))
  expect(homePaths({ HANDOFF_HOME: '' }).root).toBe(path.join(os.homedir(), '.handoff'))
  expect(homePaths({ HANDOFF_HOME: '/x/../y' })).toMatchObject({ root: '/y', socket: '/y/agentd.sock' })
})

it('creates the home for this user only', async () => {
  const home = homePaths({ HANDOFF_HOME: path.join(folder, 'a/home') })
  await openHome(home)
  await openHome(home)
  for (const name of [home.root, home.logs, home.worktrees, home.repos, home.tasks, home.env, home.incoming])
    expect(await modeOf(name), name).toBe(0o700)
})

it('closes a home that others could read', async () => {
  const root = path.join(folder, 'open')
  await fs.mkdir(root)
  await fs.chmod(root, 0o755)
  await openHome(homePaths({ HANDOFF_HOME: root }))
  expect(await modeOf(root)).toBe(0o700)
})

it('follows a link of this user and refuses what is no folder', async () => {
  await fs.mkdir(path.join(folder, 'real'))
  await fs.symlink(path.join(folder, 'real'), path.join(folder, 'link'))
  await openHome(homePaths({ HANDOFF_HOME: path.join(folder, 'link') }))
  expect(await modeOf(path.join(folder, 'real'))).toBe(0o700)
  await fs.writeFile(path.join(folder, 'file'), '')
  await expect(openHome(homePaths({ HANDOFF_HOME: path.join(folder, 'file') }))).rejects.toMatchObject({
    code: 'home_unsafe',
  })
})

it.skipIf(process.getuid?.() !== 0)(
  'refuses a folder of another user, also behind a link [needs root]',
  async () => {
    const foreign = path.join(folder, 'foreign')
    await fs.mkdir(foreign, { mode: 0o700 })
    await fs.chown(foreign, 12_345, 12_345)
    await fs.symlink(foreign, path.join(folder, 'link'))
    await expect(privateFolder(foreign)).rejects.toMatchObject({ code: 'home_unsafe' })
    await expect(privateFolder(path.join(folder, 'link'))).rejects.toMatchObject({ code: 'home_unsafe' })
    expect((await fs.stat(foreign)).uid).toBe(12_345)
  },
)

it('finds a short place for the socket of a deep home, the same one each time', async () => {
  const root = path.join(folder, 'deep'.repeat(30))
  const home = homePaths({ HANDOFF_HOME: root })
  expect(Buffer.byteLength(home.socket)).toBeLessThanOrEqual(100)
  expect(homePaths({ HANDOFF_HOME: root }).socket).toBe(home.socket)
  expect(homePaths({ HANDOFF_HOME: `${root}2` }).socket).not.toBe(home.socket)
  await openHome(home)
  expect(await modeOf(path.dirname(home.socket))).toBe(0o700)
  await fs.rm(path.dirname(home.socket), { recursive: true })
})
