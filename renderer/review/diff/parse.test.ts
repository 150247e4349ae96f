import { execFileSync } from 'node:child_process'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseDiff } from './parse.ts'

let repo = ''
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.invalid', ...args], {
    cwd: repo,
    encoding: 'utf8',
  })
beforeAll(() => {
  repo = mkdtempSync(path.join(tmpdir(), 'handoff-diff-'))
  git('init', '-q')
  writeFileSync(path.join(repo, 'a b.txt'), 'one\ntwo\nthree\n')
  writeFileSync(path.join(repo, '数据.md'), 'x\n'.repeat(30))
  writeFileSync(path.join(repo, 'gone.txt'), '--- not a header\n+++ neither\n')
  writeFileSync(path.join(repo, 'bin'), Buffer.from([0, 1, 2]))
  git('add', '-A')
  git('commit', '-qm', 'base')
  writeFileSync(path.join(repo, 'a b.txt'), 'one\n2\nthree\nfour')
  renameSync(path.join(repo, '数据.md'), path.join(repo, 'data "new".md'))
  rmSync(path.join(repo, 'gone.txt'))
  writeFileSync(path.join(repo, 'bin'), Buffer.from([0, 3]))
  writeFileSync(path.join(repo, 'new.ts'), '@@ -1 +1 @@\ndiff --git a/x b/x\n')
  git('add', '-A')
})
afterAll(() => rmSync(repo, { recursive: true, force: true }))

describe('parseDiff', () => {
  it('reads what git prints: names, changes, lines and numbers', () => {
    const files = parseDiff(git('diff', '--cached', '-M', 'HEAD'))
    expect(
      files.map(({ path: name, oldPath, change, isBinary, added, removed }) => ({
        name,
        oldPath,
        change,
        isBinary,
        added,
        removed,
      })),
    ).toEqual([
      { name: 'a b.txt', oldPath: undefined, change: 'modified', isBinary: false, added: 2, removed: 1 },
      { name: 'bin', oldPath: undefined, change: 'modified', isBinary: true, added: 0, removed: 0 },
      { name: 'data "new".md', oldPath: '数据.md', change: 'renamed', isBinary: false, added: 0, removed: 0 },
      { name: 'gone.txt', oldPath: undefined, change: 'deleted', isBinary: false, added: 0, removed: 2 },
      { name: 'new.ts', oldPath: undefined, change: 'added', isBinary: false, added: 2, removed: 0 },
    ])
    expect(files[0]?.hunks[0]?.lines).toEqual([
      { kind: 'context', text: 'one', oldLine: 1, newLine: 1 },
      { kind: 'remove', text: 'two', oldLine: 2, newLine: undefined },
      { kind: 'add', text: '2', oldLine: undefined, newLine: 2 },
      { kind: 'context', text: 'three', oldLine: 3, newLine: 3 },
      { kind: 'add', text: 'four', oldLine: undefined, newLine: 4, noNewline: true },
    ])
  })

  it('never throws, whatever it is given', () => {
    const line = fc.constantFrom(
      'diff --git a/x b/x',
      '@@ -1,2 +1,9 @@',
      '+a',
      '-b',
      ' c',
      '\\ No newline',
      '--- a/x',
      '+++ "b/\\351"',
      '',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(line, fc.string())), (lines) =>
        Array.isArray(parseDiff(lines.join('\n'))),
      ),
    )
  })
})
