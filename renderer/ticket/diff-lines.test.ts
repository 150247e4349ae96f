import { expect, it } from 'vitest'
import { diffLines } from './diff-lines.ts'

it('numbers lines as the two files do', () => {
  const diff = '--- a/x\n+++ b/x\n@@ -4,3 +4,3 @@ head\n same\n-old\n+new\n last\n'
  expect(diffLines(diff)).toEqual([
    { kind: 'head', text: '--- a/x' },
    { kind: 'head', text: '+++ b/x' },
    { kind: 'hunk', text: '@@ -4,3 +4,3 @@ head' },
    { kind: 'same', text: 'same', before: 4, after: 4 },
    { kind: 'removed', text: 'old', before: 5 },
    { kind: 'added', text: 'new', after: 5 },
    { kind: 'same', text: 'last', before: 6, after: 6 },
  ])
})

it('leaves nothing out of a text that is no diff', () => {
  expect(diffLines('hello\n+world')).toEqual([
    { kind: 'head', text: 'hello' },
    { kind: 'head', text: '+world' },
  ])
})

it('tells a second file from the lines of the first', () => {
  const diff = '@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\ndiff --git a/y b/y\n--- a/y\n+++ b/y\n'
  expect(diffLines(diff).map((line) => line.kind)).toEqual([
    'hunk',
    'removed',
    'added',
    'head',
    'head',
    'head',
    'head',
  ])
})
