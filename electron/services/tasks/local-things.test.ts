import { chmodSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { sampleTask } from '../../../tests/support/sample-facts.ts'
import { createPlayedHosts } from '../../../tests/support/desk-hosts.ts'
import { tempFolder } from '../../../tests/support/temp-repository.ts'
import { until } from '../../../tests/support/until.ts'
import { settingsSchema, type Settings } from '../../../shared/ipc/settings.ts'
import { openThere } from './editors.ts'
import { listFolders } from './folders.ts'
import { createOpening } from './opening.ts'
import { createPathCommand } from './path-command.ts'

describe('listing folders', () => {
  it('shows folders and links to folders, hidden ones last, and marks repositories', async () => {
    const root = tempFolder()
    for (const name of ['b', '.hidden', 'a/.git']) mkdirSync(path.join(root, name), { recursive: true })
    writeFileSync(path.join(root, 'file.txt'), '')
    symlinkSync(path.join(root, 'a'), path.join(root, 'link'))
    symlinkSync('/nowhere', path.join(root, 'dangling'))
    const listed = await listFolders(root, {})
    expect(listed.parent).toBe(path.dirname(root))
    expect(listed.folders).toEqual([
      { name: 'a', isRepository: true },
      { name: 'b', isRepository: false },
      { name: 'link', isRepository: true },
      { name: '.hidden', isRepository: false },
    ])
  })

  it('says what is wrong with a path', async () => {
    const root = tempFolder()
    writeFileSync(path.join(root, 'file.txt'), '')
    await expect(listFolders(path.join(root, 'no'), {})).rejects.toMatchObject({ code: 'file_not_found' })
    await expect(listFolders(path.join(root, 'file.txt'), {})).rejects.toMatchObject({ code: 'not_a_file' })
    expect((await listFolders('~', { HOME: root })).path).toBe(root)
  })
})

function opening(editor: Settings['editor'], more: { bin?: string } = {}) {
  const root = tempFolder()
  const worktree = path.join(root, 'tree')
  mkdirSync(worktree)
  writeFileSync(path.join(worktree, 'a.ts'), '')
  writeFileSync(path.join(root, 'secret'), '')
  symlinkSync(path.join(root, 'secret'), path.join(worktree, 'leak'))
  const opened: string[] = []
  const service = createOpening({
    cache: { task: () => sampleTask({ worktree }) },
    hosts: createPlayedHosts({ local: {}, devbox: {} }).hosts,
    settings: { get: () => settingsSchema.parse({ editor }) },
    platform: {
      openExternal: (url) => Promise.resolve(void opened.push(url)),
      openPath: (file) => Promise.resolve((opened.push(file), { opened: true })),
    },
    environment: { PATH: more.bin ?? '' },
    logs: '/logs',
  })
  const at = { host: 'local', taskId: sampleTask().id }
  return { service, opened, worktree, at, root }
}

describe('opening things', () => {
  it('opens a file of the worktree with the program of the system', async () => {
    const { service, opened, worktree, at } = opening('system')
    expect(await service.editor({ ...at, path: 'a.ts', line: 3 })).toMatchObject({ opened: true })
    expect(opened).toEqual([path.join(worktree, 'a.ts')])
  })

  it.each(['../secret', 'leak', '/etc/passwd', 'a/../../secret'])('never opens %s', async (file) => {
    const { service, opened, at } = opening('system')
    await expect(service.editor({ ...at, path: file })).rejects.toMatchObject({ code: 'path_outside' })
    expect(opened).toEqual([])
  })

  it('starts the editor at the line', async () => {
    const bin = tempFolder()
    const said = path.join(bin, 'said')
    writeFileSync(path.join(bin, 'code'), `#!/bin/sh\necho "$@" > ${said}\n`)
    chmodSync(path.join(bin, 'code'), 0o755)
    const { service, worktree, at } = opening('vscode', { bin })
    expect(await service.editor({ ...at, path: 'a.ts', line: 7 })).toMatchObject({ opened: true })
    const text = await until('the editor to be started', () => readFileSync(said, 'utf8'))
    expect(text.trim()).toBe(`--goto ${worktree}/a.ts:7`)
  })

  it('says why an editor that is not installed, or runs in a terminal, was not opened', async () => {
    const missing = opening('zed')
    expect(await missing.service.editor({ ...missing.at, path: 'a.ts' })).toMatchObject({
      opened: false,
      why: expect.stringContaining('zed') as string,
    })
    const vim = opening('vim')
    expect(await vim.service.editor({ ...vim.at, path: 'a.ts' })).toMatchObject({ opened: false })
  })

  it('reaches files of other hosts by ssh', () => {
    const place = { path: '/srv/tree/a.ts', line: 4 }
    expect(openThere('vscode', 'ssh://kim@devbox', place)).toEqual({
      kind: 'program',
      argv: ['code', '--remote', 'ssh-remote+kim@devbox', '--goto', '/srv/tree/a.ts:4'],
    })
    expect(openThere('zed', 'ssh://devbox:2222', place)).toEqual({
      kind: 'program',
      argv: ['zed', 'ssh://devbox:2222/srv/tree/a.ts:4'],
    })
    expect(openThere('vscode', 'ws://devbox:7433', place).kind).toBe('impossible')
    expect(openThere('idea', 'ssh://devbox', place).kind).toBe('impossible')
  })

  it('opens web pages and mail, and no other kind of link', async () => {
    const { service, opened } = opening('system')
    await service.url('https://example.com/a')
    for (const url of ['file:///etc/passwd', 'javascript:alert(1)', 'smb://host/share'])
      await expect(service.url(url)).rejects.toMatchObject({ code: 'bad_request' })
    expect(opened).toEqual(['https://example.com/a'])
  })
})

describe('the command on the PATH', () => {
  function place() {
    const home = tempFolder()
    const command = path.join(home, 'app/bin/handoff')
    mkdirSync(path.dirname(command), { recursive: true })
    writeFileSync(command, '#!/bin/sh\n')
    const link = path.join(home, '.local/bin/handoff')
    return {
      home,
      command,
      link,
      make: (PATH: string) => createPathCommand({ command, environment: { HOME: home, PATH } }),
    }
  }

  it('is a link that comes and goes, and says what is missing in the PATH', () => {
    const { command, link, make } = place()
    const service = make('/usr/bin')
    expect(service.status()).toEqual({ installed: false, path: link, onPath: false })
    expect(service.install().hint).toContain('PATH')
    expect(readlinkSync(link)).toBe(command)
    expect(make(`/usr/bin:${path.dirname(link)}`).status()).toEqual({
      installed: true,
      path: link,
      onPath: true,
    })
    service.remove()
    expect(service.status().installed).toBe(false)
  })

  it('never replaces or removes what is not ours', () => {
    const { link, make } = place()
    mkdirSync(path.dirname(link), { recursive: true })
    writeFileSync(link, 'mine')
    const service = make(path.dirname(link))
    expect(() => service.install()).toThrow(/not made by this installation/)
    service.remove()
    expect(readFileSync(link, 'utf8')).toBe('mine')
  })

  it('takes over the link of an installation that has moved away', () => {
    const { home, command, link, make } = place()
    mkdirSync(path.dirname(link), { recursive: true })
    symlinkSync(path.join(home, 'old/bin/handoff'), link)
    make('').install()
    expect(readlinkSync(link)).toBe(command)
  })
})
