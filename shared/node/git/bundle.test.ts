import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  commitAll,
  fingerprint,
  git,
  repository,
  tempFolder,
  write,
} from '../../../tests/support/temp-repository.ts'
import { createBundle } from './bundle-create.ts'
import { parseBundleHeader } from './bundle-header.ts'
import { incomingRef, receiveBundle } from './bundle-receive.ts'
import { findHostClone, openHostClone } from './clones.ts'
import { readIdentity } from './identity.ts'
import { listTips } from './repository.ts'
import { addWorktree } from './worktree.ts'

const head = (cwd: string) => git(cwd, 'rev-parse', 'HEAD')

async function cloneFor(cwd: string, home = tempFolder()) {
  return openHostClone({ home, ...(await readIdentity({ cwd })) })
}

it('carries commits into a host clone, then only the new ones, and a worktree can be made there', async () => {
  const cwd = repository({ commits: 30 })
  git(cwd, 'remote', 'add', 'origin', 'https://example.org/a.git')
  const before = fingerprint(cwd)
  const host = await cloneFor(cwd)
  const bundlePath = join(tempFolder(), 'x.bundle')
  const first = await createBundle({ repoPath: cwd, commit: head(cwd), haves: [], bundlePath })
  expect(first).toMatchObject({
    kind: 'written',
    commits: 30,
    prerequisites: [],
    sizeBytes: statSync(bundlePath).size,
  })
  expect(git(cwd, 'bundle', 'verify', '-q', bundlePath)).toBe('')
  const received = await receiveBundle({ repoPath: host.path, bundlePath, commit: head(cwd) })
  expect(received).toEqual({ kind: 'received', commit: head(cwd), ref: incomingRef(head(cwd)) })

  const base = head(cwd)
  write(cwd, '新文件.txt', 'unpushed')
  commitAll(cwd, 'unpushed')
  const haves = [...(await listTips({ cwd: host.path })).map(({ sha }) => sha), 'f'.repeat(40), 'junk']
  const second = await createBundle({ repoPath: cwd, commit: head(cwd), haves, bundlePath })
  expect(second).toMatchObject({ kind: 'written', commits: 1, prerequisites: [base] })
  await receiveBundle({ repoPath: host.path, bundlePath, commit: head(cwd) })
  const branch = { kind: 'new', name: 'handoff/1', commit: head(cwd) } as const
  const { path } = await addWorktree({ repoPath: host.path, worktreePath: join(tempFolder(), 'w'), branch })
  expect(readFileSync(join(path, '新文件.txt'), 'utf8')).toBe('unpushed')
  expect(git(path, 'remote', 'get-url', 'origin')).toBe('https://example.org/a.git')
  git(host.path, 'gc', '-q', '--prune=now')
  git(host.path, 'fsck', '--strict')
  git(cwd, 'reset', '-q', '--hard', base)
  git(cwd, 'clean', '-fdq')
  expect(fingerprint(cwd)).toBe(before)
})

it('has nothing to send when the receiver has the commit or one after it', async () => {
  const cwd = repository({ commits: 3 })
  const bundlePath = join(tempFolder(), 'x.bundle')
  const commit = git(cwd, 'rev-parse', 'HEAD~1')
  for (const have of [commit, head(cwd)]) {
    expect(await createBundle({ repoPath: cwd, commit, haves: [have], bundlePath })).toEqual({
      kind: 'nothing_to_send',
    })
  }
  expect(readdirSync(join(bundlePath, '..'))).toEqual([])
})

it('names the shallow clone as the reason when the history to send is not there, and still sends what it has', async () => {
  const cwd = repository({ commits: 3 })
  const shallow = join(tempFolder(), 'shallow')
  git(cwd, 'clone', '-q', '--depth', '1', `file://${cwd}`, shallow)
  const bundlePath = join(tempFolder(), 'x.bundle')
  const call = { repoPath: shallow, bundlePath, commit: head(cwd) }
  await expect(createBundle({ ...call, haves: [] })).rejects.toMatchObject({ code: 'git.shallow' })
  const next = commitAll(shallow, 'on top')
  const outcome = await createBundle({ ...call, commit: next, haves: [head(cwd)] })
  expect(outcome).toMatchObject({ kind: 'written', commits: 1 })
  await receiveBundle({ repoPath: cwd, bundlePath, commit: next })
  await expect(createBundle({ ...call, commit: 'f'.repeat(40), haves: [] })).rejects.toMatchObject({
    code: 'git.unknown_revision',
  })
})

it('refuses a bundle larger than allowed and leaves no file', async () => {
  const cwd = repository()
  const folder = tempFolder()
  const call = { repoPath: cwd, commit: head(cwd), haves: [], bundlePath: join(folder, 'x'), maxBytes: 100 }
  await expect(createBundle(call)).rejects.toMatchObject({ code: 'too_large' })
  expect(readdirSync(folder)).toEqual([])
})

it('refuses hostile and broken bundles with a clear code and changes nothing', async () => {
  const cwd = repository({ commits: 5 })
  const host = await cloneFor(cwd)
  const folder = tempFolder()
  const good = join(folder, 'good')
  await createBundle({ repoPath: cwd, commit: head(cwd), haves: [], bundlePath: good })
  const bytes = readFileSync(good)
  const { packOffset } = parseBundleHeader(bytes)
  const pack = bytes.subarray(packOffset)
  const withHeader = (lines: string) => Buffer.concat([Buffer.from(`# v2 git bundle\n${lines}\n\n`), pack])
  const flipped = Buffer.from(bytes)
  flipped[bytes.length - 60] = (flipped[bytes.length - 60] ?? 0) ^ 0xff
  const cases: Record<string, Buffer> = {
    empty: Buffer.alloc(0),
    garbage: Buffer.from('not a bundle at all'),
    'no end of header': Buffer.from(`# v2 git bundle\n${'x'.repeat(2_000_000)}`),
    'truncated pack': bytes.subarray(0, bytes.length - 30),
    'header only': bytes.subarray(0, packOffset),
    'flipped byte': flipped,
    'wrong commit': withHeader(`${'a'.repeat(40)} refs/heads/main`),
    'climbing ref': withHeader(`${head(cwd)} refs/heads/../../x`),
    'ref outside refs': withHeader(`${head(cwd)} config`),
    'missing prerequisite': withHeader(`-${'b'.repeat(40)} \n${head(cwd)} refs/heads/main`),
    'unknown capability': Buffer.concat([
      Buffer.from(`# v3 git bundle\n@filter=blob:none\n${head(cwd)} refs/x\n\n`),
      pack,
    ]),
    'sha256 in a sha1 clone': withHeader(`${'a'.repeat(64)} refs/heads/main`),
  }
  const listing = () => JSON.stringify(readdirSync(host.path, { recursive: true }).sort())
  git(host.path, 'config', 'core.bare', 'true')
  await receiveBundle({ repoPath: host.path, bundlePath: join(folder, 'nope'), commit: head(cwd) }).catch(
    () => undefined,
  )
  const before = listing()
  for (const [name, content] of Object.entries(cases)) {
    const bundlePath = join(folder, 'bad')
    writeFileSync(bundlePath, content)
    const call = receiveBundle({ repoPath: host.path, bundlePath, commit: head(cwd) })
    await expect(call, name).rejects.toMatchObject({ code: 'git.bad_bundle' })
    expect(listing(), name).toBe(before)
  }
  await receiveBundle({ repoPath: host.path, bundlePath: good, commit: head(cwd) })
})

it('refuses a pack without the whole history and objects that git’s fsck forbids', async () => {
  const cwd = repository({ commits: 3 })
  const host = await cloneFor(cwd)
  const bundlePath = join(tempFolder(), 'x')
  await createBundle({
    repoPath: cwd,
    commit: head(cwd),
    haves: [git(cwd, 'rev-parse', 'HEAD~1')],
    bundlePath,
  })
  const text = readFileSync(bundlePath)
  const withoutPrerequisite = Buffer.from(text.toString('latin1').replace(/^-.*\n/m, ''), 'latin1')
  writeFileSync(bundlePath, withoutPrerequisite)
  const receive = (commit: string) => receiveBundle({ repoPath: host.path, bundlePath, commit })
  await expect(receive(head(cwd))).rejects.toMatchObject({ code: 'git.bad_bundle' })

  // A tree with an entry called `.git` would write into the repository's own folder on checkout.
  const blob = git(cwd, 'rev-parse', 'HEAD:file.txt')
  const treeFile = join(tempFolder(), 'tree')
  writeFileSync(treeFile, Buffer.concat([Buffer.from('100644 .git\0'), Buffer.from(blob, 'hex')]))
  const tree = git(cwd, 'hash-object', '--literally', '-w', '-t', 'tree', treeFile)
  const evil = git(cwd, 'commit-tree', tree, '-m', 'evil')
  await createBundle({ repoPath: cwd, commit: evil, haves: [], bundlePath })
  await expect(receive(evil)).rejects.toMatchObject({ code: 'git.bad_bundle' })
  expect(git(host.path, 'count-objects', '-v')).toContain('packs: 0')
})

it('makes one clone for callers that come at once, finds it again, and keeps forks apart', async () => {
  const cwd = repository()
  git(cwd, 'remote', 'add', 'origin', 'git@example.org:team/app.git')
  const home = tempFolder()
  const all = await Promise.all([1, 2, 3, 4].map(() => cloneFor(cwd, home)))
  expect(new Set(all.map(({ path }) => path)).size).toBe(1)
  expect(readdirSync(join(home, 'repos'))).toEqual([`${all[0]?.key}.git`])
  const { identity } = await readIdentity({ cwd })
  expect(
    await findHostClone({ home, identity: { ...identity, remotes: ['example.org/team/app', 'x/y'] } }),
  ).toBeDefined()
  expect(
    await findHostClone({ home, identity: { ...identity, remotes: ['example.org/fork/app'] } }),
  ).toBeUndefined()
  truncateSync(join(all[0]?.path ?? '', 'handoff-identity.json'), 3)
  expect(await findHostClone({ home, identity })).toBeUndefined()
  expect((await cloneFor(cwd, home)).path).toBe(all[0]?.path)
})
