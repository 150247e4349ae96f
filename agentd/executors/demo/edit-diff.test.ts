import { describe, expect, it } from 'vitest'
import { editDiff } from './edit-diff.ts'

describe('editDiff', () => {
  it('keeps three lines around what changes', () => {
    expect(editDiff('a.txt', '1\n2\n3\n4\n5\n6\n7\n8\n', '1\n2\n3\n4\nfive\n6\n7\n8\n')).toBe(
      '--- a/a.txt\n+++ b/a.txt\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n',
    )
  })

  it('shows a new file as lines that are added', () => {
    expect(editDiff('b.txt', undefined, 'one\ntwo\n')).toBe(
      '--- /dev/null\n+++ b/b.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n',
    )
  })

  it('does not take a repeated line for the end and the beginning at once', () => {
    expect(editDiff('c.txt', 'x\n', 'x\nx\n')).toContain('@@ -1,1 +1,2 @@\n x\n+x\n')
  })
})
