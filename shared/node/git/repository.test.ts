import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import {
  commitAll,
  emptyRepository,
  git,
  repository,
  tempFolder,
} from '../../../tests/support/temp-repository.ts'
import { readIdentity, repositoryKey, rootCommits, sameRepository } from './identity.ts'
import { listRemotes, recordRemotes } from './remotes.ts'
import { isSafeRemote, normaliseRemoteUrl, redactUrls, stripCredentials } from './remote-url.ts'
import { findRepository, findTopLevel, listTips, readHead } from './repository.ts'
import { commitsPresent, countCommits, findCommit, isAncestor, resolveCommit } from './revision.ts'
import { runGit, streamGit } from './run.ts'

it('finds the top level from a subfolder, also when the name holds a line break', async () => {
  const cwd = repository({ name: 'two\nlines 项目' })
  mkdirSync(join(cwd, 'a', 'b'), { recursive: true })
  expect(await findTopLevel({ cwd: join(cwd, 'a', 'b') })).toBe(cwd)
  expect(await findRepository({ cwd })).toEqual({
    topLevel: cwd,
    commonDir: join(cwd, '.git'),
    bare: false,
    shallow: false,
    objectFormat: 'sha1',
  })
})

it('says when a folder is no repository, does not exist, or is the git folder itself', async () => {
  const cwd = tempFolder()
  await expect(findTopLevel({ cwd })).rejects.toMatchObject({ code: 'git.not_a_repository' })
  await expect(findTopLevel({ cwd: join(cwd, 'gone') })).rejects.toMatchObject({
    code: 'git.not_a_repository',
  })
  await expect(findTopLevel({ cwd: join(repository(), '.git') })).rejects.toMatchObject({
    code: 'git.not_a_repository',
  })
})

it('is not led astray by GIT_DIR as hooks set it', async () => {
  const cwd = repository()
  const other = repository()
  process.env['GIT_DIR'] = join(other, '.git')
  try {
    expect(await findTopLevel({ cwd })).toBe(cwd)
  } finally {
    delete process.env['GIT_DIR']
  }
})

it('tells a branch, a detached and an unborn HEAD apart', async () => {
  const cwd = emptyRepository()
  expect(await readHead({ cwd })).toEqual({ kind: 'unborn', branch: 'main' })
  const commit = commitAll(cwd, 'first')
  expect(await readHead({ cwd })).toEqual({ kind: 'branch', branch: 'main', commit })
  git(cwd, 'checkout', '-q', '--detach')
  expect(await readHead({ cwd })).toEqual({ kind: 'detached', commit })
})

it('resolves revisions and refuses what is none, options included', async () => {
  const cwd = repository({ commits: 2 })
  const head = git(cwd, 'rev-parse', 'HEAD')
  const first = git(cwd, 'rev-parse', 'HEAD~1')
  expect(await resolveCommit({ cwd, revision: 'main~1' })).toBe(first)
  expect(await resolveCommit({ cwd, revision: head.slice(0, 8) })).toBe(head)
  for (const revision of [
    '',
    'nope',
    '--all',
    '-x',
    'HEAD~9',
    'HEAD:file.txt',
    'a\0b',
    'HEAD^{tree}',
    `${'0'.repeat(40)}`,
  ]) {
    expect(await findCommit({ cwd, revision }), revision).toBeUndefined()
  }
  await expect(resolveCommit({ cwd, revision: '--help' })).rejects.toMatchObject({
    code: 'git.unknown_revision',
  })
  expect(await commitsPresent({ cwd, shas: ['f'.repeat(40), first, 'junk\nHEAD', head] })).toEqual([
    first,
    head,
  ])
  expect(await isAncestor({ cwd, ancestor: first, descendant: head })).toBe(true)
  expect(await isAncestor({ cwd, ancestor: head, descendant: first })).toBe(false)
  expect(await countCommits({ cwd, from: first, to: head })).toBe(1)
})

it('lists tips newest first and within the limit', async () => {
  const cwd = repository()
  git(cwd, 'tag', '-a', 'v1', '-m', 'one')
  const head = git(cwd, 'rev-parse', 'HEAD')
  const tips = await listTips({ cwd })
  expect(tips).toContainEqual({ ref: 'refs/heads/main', sha: head })
  expect(tips).toContainEqual({ ref: 'refs/tags/v1', sha: head })
  expect(await listTips({ cwd, limit: 1 })).toHaveLength(1)
})

it('knows every root, none of a shallow clone, none before the first commit', async () => {
  const cwd = repository({ commits: 2 })
  const first = git(cwd, 'rev-list', '--max-parents=0', 'HEAD')
  git(cwd, 'checkout', '-q', '--orphan', 'other')
  const second = commitAll(cwd, 'second root')
  git(cwd, 'merge', '-q', '--allow-unrelated-histories', '-s', 'ours', '-m', 'join', 'main')
  expect(await rootCommits({ cwd })).toEqual([first, second].sort())
  const shallow = join(tempFolder(), 'shallow')
  git(cwd, 'clone', '-q', '--depth', '1', `file://${cwd}`, shallow)
  expect(await rootCommits({ cwd: shallow })).toEqual([])
  expect(await rootCommits({ cwd: emptyRepository() })).toEqual([])
})

it('recognises a repository by roots and remotes, whatever the spelling of the remote', async () => {
  const cwd = repository()
  git(cwd, 'remote', 'add', 'origin', 'https://ann:s3cret@Example.org/Team/App.git')
  const copy = join(tempFolder(), 'copy')
  git(cwd, 'clone', '-q', cwd, copy)
  git(copy, 'remote', 'set-url', 'origin', 'git@example.org:team/app')
  const a = await readIdentity({ cwd })
  const b = await readIdentity({ cwd: copy })
  expect(JSON.stringify(a)).not.toContain('s3cret')
  expect(sameRepository(a.identity, b.identity)).toBe(true)
  expect(repositoryKey({ identity: a.identity, name: 'App!' })).toMatch(/^app-[0-9a-f]{12}$/)
  git(copy, 'remote', 'set-url', 'origin', 'git@example.org:fork/app')
  expect(sameRepository(a.identity, (await readIdentity({ cwd: copy })).identity)).toBe(false)
  expect(sameRepository(a.identity, { roots: [], remotes: [] })).toBe(false)
  expect(sameRepository(a.identity, { roots: [], remotes: a.identity.remotes })).toBe(true)
  expect(sameRepository(a.identity, { roots: ['f'.repeat(40)], remotes: a.identity.remotes })).toBe(false)
})

it('writes one spelling for one remote', () => {
  const same = [
    'git@github.com:Org/Repo.git',
    'ssh://git@github.com:22/Org/Repo.git',
    'ssh://git@github.com/Org/Repo',
    'https://user:tok@github.com/Org/Repo/',
    'https://github.com:443/org/repo.git/',
    'github.com:org/repo',
  ]
  expect(new Set(same.map(normaliseRemoteUrl))).toEqual(new Set(['github.com/org/repo']))
  expect(normaliseRemoteUrl('/srv/Git/x.git')).toBe('file:///srv/Git/x')
  expect(normaliseRemoteUrl('file:///srv/Git/x.git')).toBe(normaliseRemoteUrl('/srv/Git/x'))
})

it('takes credentials out of urls and texts', () => {
  expect(stripCredentials('https://user:tok@host/x')).toBe('https://host/x')
  expect(stripCredentials('https://tok@host/x')).toBe('https://host/x')
  expect(stripCredentials('https://u:p@ss@host/x')).toBe('https://host/x')
  expect(stripCredentials('ssh://git:pw@host/x')).toBe('ssh://git@host/x')
  expect(stripCredentials('git@host:x')).toBe('git@host:x')
  expect(redactUrls("fatal: unable to access 'https://u:p@h/x/': no")).toBe(
    "fatal: unable to access 'https://h/x/': no",
  )
})

it('records plain remotes once and refuses those that would run a program', async () => {
  const cwd = emptyRepository()
  const remotes = [
    { name: 'origin', url: 'https://u:p@example.org/a.git' },
    { name: 'evil', url: 'ext::sh -c touch% /tmp/x' },
    { name: '-o', url: 'https://example.org/a' },
    { name: 'dash', url: '--upload-pack=touch x' },
    { name: 'a.b/../c', url: 'https://example.org/a' },
    { name: 'line', url: 'https://example.org/a\n[core]' },
  ]
  const { skipped } = await recordRemotes({ repoPath: cwd, remotes })
  expect(skipped.map(({ name }) => name)).toEqual(['evil', '-o', 'dash', 'a.b/../c', 'line'])
  await recordRemotes({ repoPath: cwd, remotes })
  expect(await listRemotes({ cwd })).toEqual([{ name: 'origin', url: 'https://example.org/a.git' }])
  expect(git(cwd, 'config', '--get-all', 'remote.origin.fetch')).toBe('+refs/heads/*:refs/remotes/origin/*')
  expect(isSafeRemote({ name: 'up', url: 'ssh://-oProxyCommand=x/y' })).toBe(false)
})

it('can be cancelled, stopped early, bounded and timed', async () => {
  const cwd = repository()
  const aborted = AbortSignal.abort()
  await expect(runGit({ cwd, args: ['status'], signal: aborted })).rejects.toMatchObject({
    code: 'cancelled',
  })
  await expect(
    runGit({ cwd, args: ['cat-file', '-p', 'HEAD:file.txt'], maxBytes: 10 }),
  ).rejects.toMatchObject({ code: 'too_large' })
  const endless = new Readable({ read: () => undefined })
  const sleepy = { cwd, args: ['hash-object', '--stdin'], input: endless, timeoutMs: 100 }
  await expect(runGit(sleepy)).rejects.toMatchObject({ code: 'timeout' })
  expect(await streamGit({ cwd, args: ['log', '-p'] }, () => 'stop')).toEqual({ stopped: true })
  await expect(streamGit({ cwd, args: ['log', 'nope'] }, () => 'more')).rejects.toMatchObject({
    code: 'git.failed',
  })
  const broken = streamGit({ cwd, args: ['log'] }, () => Promise.reject(new Error('reader')))
  await expect(broken).rejects.toThrow('reader')
})

it('says that git is missing, or that the folder is', async () => {
  const cwd = repository()
  const gone = join(cwd, 'gone')
  await expect(runGit({ cwd: gone, args: ['status'] })).rejects.toMatchObject({
    code: 'git.not_a_repository',
  })
  await expect(streamGit({ cwd: gone, args: ['log'] }, () => 'more')).rejects.toMatchObject({
    code: 'git.not_a_repository',
  })
  const path = process.env['PATH']
  process.env['PATH'] = tempFolder()
  try {
    await expect(runGit({ cwd, args: ['status'] })).rejects.toMatchObject({ code: 'git.missing' })
    await expect(streamGit({ cwd, args: ['log'] }, () => 'more')).rejects.toMatchObject({
      code: 'git.missing',
    })
  } finally {
    process.env['PATH'] = path
  }
})

it('works in a bare clone of a person who closed bare repositories, and takes many writers of its settings', async () => {
  const bare = join(tempFolder(), 'x.git')
  git(tempFolder(), 'clone', '-q', '--bare', repository(), bare)
  const config = join(tempFolder(), 'gitconfig')
  writeFileSync(config, '[safe]\n\tbareRepository = explicit\n')
  process.env['GIT_CONFIG_GLOBAL'] = config
  try {
    expect((await findRepository({ cwd: bare })).bare).toBe(true)
    const names = Array.from({ length: 8 }, (_, index) => `r${index}`)
    const record = (name: string) =>
      recordRemotes({ repoPath: bare, remotes: [{ name, url: `https://example.org/${name}` }] })
    await Promise.all(names.map(record))
    expect((await listRemotes({ cwd: bare })).map(({ name }) => name)).toEqual(expect.arrayContaining(names))
  } finally {
    delete process.env['GIT_CONFIG_GLOBAL']
  }
})

it('reads history as it is, not as replacement refs show it', async () => {
  const cwd = repository({ commits: 3 })
  const [last = '', middle = '', first = ''] = git(cwd, 'rev-list', 'HEAD').split('\n')
  git(cwd, 'replace', middle, first)
  expect(await countCommits({ cwd, from: first, to: last })).toBe(2)
  expect(await rootCommits({ cwd })).toEqual([first])
})
