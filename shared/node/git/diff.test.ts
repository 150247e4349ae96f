import { chmodSync, rmSync } from 'node:fs'
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
import { diffFiles, diffNames, diffStat, diffText, diffTotals, streamDiff } from './diff.ts'
import { completionFacts, differenceText } from './facts.ts'

function changed() {
  const cwd = repository()
  write(cwd, 'old name.txt', 'some lines\nto find\nit again\n')
  write(cwd, 'gone.txt', 'a\nb\n')
  write(cwd, 'mode.sh', 'x\n')
  const from = commitAll(cwd, 'base')
  git(cwd, 'mv', 'old name.txt', '新\tname\n.txt')
  rmSync(join(cwd, 'gone.txt'))
  chmodSync(join(cwd, 'mode.sh'), 0o755)
  write(cwd, 'picture.bin', Buffer.from([0, 1, 2, 255]))
  write(cwd, 'file.txt', 'one\ntwo\n')
  const to = commitAll(cwd, 'change')
  return { cwd, from, to }
}

it('tells each changed file with its lines, former name and kind', async () => {
  const call = changed()
  const { files, truncated } = await diffFiles(call)
  const plain = { binary: false, modeChanged: false, added: 0, deleted: 0 }
  expect(truncated).toBe(false)
  expect(files.sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
    { ...plain, path: 'file.txt', status: 'modified', added: 2, deleted: 21 },
    { ...plain, path: 'gone.txt', status: 'deleted', deleted: 2 },
    { ...plain, path: 'mode.sh', status: 'modified', modeChanged: true },
    { ...plain, path: 'picture.bin', status: 'added', binary: true },
    { ...plain, path: '新\tname\n.txt', oldPath: 'old name.txt', status: 'renamed' },
  ])
  expect((await diffNames(call)).paths).toContain('新\tname\n.txt')
  expect(await diffFiles({ ...call, maxFiles: 2 })).toMatchObject({ truncated: true, files: { length: 2 } })
})

it('gives the text without quoting CJK names, without colours, and runs nothing the repository configures', async () => {
  const call = changed()
  const marker = join(tempFolder(), 'ran')
  git(call.cwd, 'config', 'diff.external', `touch ${marker}`)
  git(call.cwd, 'config', 'core.fsmonitor', `touch ${marker}`)
  git(call.cwd, 'config', 'color.ui', 'always')
  git(call.cwd, 'config', 'diff.noprefix', 'true')
  git(call.cwd, 'config', 'diff.t.textconv', `touch ${marker};cat`)
  write(call.cwd, '.gitattributes', '*.txt diff=t\n')
  write(call.cwd, '文件.txt', 'x\n')
  const { text } = await diffText({ ...call, to: { workingTree: true }, maxBytes: 1_000_000 })
  expect(text).toContain('diff --git a/文件.txt b/文件.txt')
  expect(text).toContain('Binary files /dev/null and b/picture.bin differ')
  expect(text).not.toContain('\u001b')
  expect((await diffStat(call)).text).toMatch(/5 files changed, 2 insertions\(\+\), 23 deletions\(-\)/)
  expect(await diffTotals(call)).toEqual({ files: 5, added: 2, removed: 23 })
  expect(await diffTotals({ ...call, to: call.from })).toEqual({ files: 0, added: 0, removed: 0 })
  expect(() => git(tempFolder(), 'hash-object', marker)).toThrow()
})

it('shows one round alone, and the working tree with what is not committed, touching nothing', async () => {
  const { cwd, from, to } = changed()
  write(cwd, 'second.txt', 'x\n')
  const second = commitAll(cwd, 'round 2')
  expect((await diffNames({ cwd, from: to, to: second })).paths).toEqual(['second.txt'])
  write(cwd, 'untracked.txt', 'x\n')
  write(cwd, 'second.txt', 'y\n')
  const before = fingerprint(cwd)
  const tree = await diffFiles({ cwd: cwd, from: second, to: { workingTree: true } })
  expect(tree.files.map(({ path, status }) => [path, status])).toEqual([
    ['second.txt', 'modified'],
    ['untracked.txt', 'added'],
  ])
  expect(fingerprint(cwd)).toBe(before)
  await expect(diffNames({ cwd, from: '--output=/tmp/x', to: from })).rejects.toMatchObject({
    code: 'git.unknown_revision',
  })
})

it('shows files of an unfinished merge as they lie, and leaves no objects behind', async () => {
  const cwd = repository({ commits: 2 })
  git(cwd, 'checkout', '-q', '-b', 'side', 'HEAD~1')
  write(cwd, 'file.txt', 'side')
  const from = commitAll(cwd, 'side')
  expect(() => git(cwd, 'merge', 'main')).toThrow()
  write(cwd, 'new.txt', 'n')
  const before = git(cwd, 'count-objects', '-v')
  const { text } = await diffText({ cwd, from, to: { workingTree: true }, maxBytes: 100_000 })
  expect(text).toContain('+<<<<<<< HEAD')
  expect(text).toContain('+++ b/new.txt')
  expect(git(cwd, 'count-objects', '-v')).toBe(before)
})

it('stops at the bound, and answers nothing for equal ends', async () => {
  const cwd = repository()
  const from = git(cwd, 'rev-parse', 'HEAD')
  write(cwd, 'big.txt', 'a long line of text\n'.repeat(200_000))
  const to = commitAll(cwd, 'big')
  let seen = 0
  const streamed = await streamDiff({ cwd, from, to, maxBytes: 100_000 }, (chunk) => {
    seen += chunk.length
  })
  expect(streamed).toEqual({ truncated: true, sizeBytes: 100_000 })
  expect(seen).toBe(100_000)
  const { text, truncated } = await diffText({ cwd, from, to, maxBytes: 1_000 })
  expect(truncated).toBe(true)
  expect(text.endsWith('\n')).toBe(true)
  expect(await diffText({ cwd, from, to: from, maxBytes: 10 })).toEqual({ text: '', truncated: false })
})

it('confirms a claim that is true', async () => {
  const { cwd, from, to } = changed()
  const facts = await completionFacts({
    worktreePath: cwd,
    base: from,
    claimed: { branch: 'main', commit: to.slice(0, 7) },
  })
  expect(facts).toMatchObject({ branch: 'main', head: to, clean: true, commitsSinceBase: 1, differences: [] })
  expect(facts.lastCommit).toMatchObject({
    subject: 'change',
    authorName: 'Ann',
    authorEmail: 'ann@example.org',
  })
  expect(Math.abs(facts.lastCommit.committedAtMs - Date.now())).toBeLessThan(120_000)
})

it('says in codes and words how a claim differs', async () => {
  const { cwd, from, to } = changed()
  const differences = async (claimed: { branch?: string; commit?: string }, base = from) =>
    (await completionFacts({ worktreePath: cwd, base, claimed })).differences
  expect(await differences({ branch: 'nope' })).toEqual([{ code: 'branch_missing', branch: 'nope' }])
  expect(await differences({ branch: '--all' })).toEqual([{ code: 'branch_missing', branch: '--all' }])
  expect(await differences({ commit: 'f'.repeat(40) })).toEqual([
    { code: 'commit_missing', commit: 'f'.repeat(40) },
  ])
  expect(await differences({ commit: 'HEAD; rm -rf' })).toEqual([
    { code: 'commit_missing', commit: 'HEAD; rm -rf' },
  ])
  expect(await differences({ branch: 'main', commit: from })).toEqual([
    { code: 'head_moved', commit: from, head: to },
  ])
  expect(await differences({}, to)).toEqual([{ code: 'no_new_commits' }])
  git(cwd, 'checkout', '-q', '-b', 'side', from)
  write(cwd, 'left\n.txt', 'x')
  const all = await differences({ branch: 'main', commit: to })
  expect(all.map(({ code }) => code)).toEqual(['other_branch_checked_out', 'tree_dirty', 'no_new_commits'])
  expect(await differences({ commit: to })).toContainEqual({
    code: 'commit_not_on_branch',
    commit: to,
    branch: 'side',
  })
  git(cwd, 'checkout', '-q', '--detach')
  const detached = await differences({ branch: 'side' })
  expect(detached.map(differenceText)).toEqual([
    'The worktree is on no branch.',
    '1 file(s) are not committed, for example "left\\n.txt".',
    'Nothing was committed in this round.',
  ])
})
