import { expect, it } from 'vitest'
import { parseDiff } from './parse.ts'
import { createWordMarks } from './words.ts'

const hunkOf = (...lines: string[]) => {
  const old = lines.filter((line) => !line.startsWith('+')).length
  const next = lines.filter((line) => !line.startsWith('-')).length
  return (
    parseDiff(['diff --git a/x b/x', `@@ -1,${old} +1,${next} @@`, ...lines].join('\n'))[0]?.hunks[0] ??
    fail()
  )
}
const fail = () => {
  throw new Error('no hunk')
}
const marked = (...lines: string[]) => {
  const [hunk, marksOf] = [hunkOf(...lines), createWordMarks()]
  return hunk.lines.flatMap((line) => {
    const marks = marksOf(hunk, line)
    expect(marksOf(hunk, line)).toBe(marks)
    return marks === undefined ? [] : [marks.map(([from, to]) => line.text.slice(from, to))]
  })
}

it('marks the words that differ between a line and the one that replaces it', () => {
  expect(marked('-const a = rows.join(",")', '+const a = rows.join(";")')).toEqual([[','], [';']])
})
it('pairs blocks line by line', () => {
  expect(marked('-let one = 1', '-let two = 2', '+let one = 10', '+let two = 20')).toEqual([
    ['1'],
    ['2'],
    ['10'],
    ['20'],
  ])
})
it('marks nothing when a line is another one altogether', () =>
  expect(marked('-import x', '+return 42')).toEqual([]))
it('marks only the side that has something more', () =>
  expect(marked('-call(a)', '+call(a, b)')).toEqual([[', b']]))
it('takes a line with very many changed words for another one, soon', () => {
  const words = (word: string) => Array.from({ length: 190 }, (_, n) => `${word}${n % 7}`).join(' ')
  expect(marked(`-same ${words('a')}`, `+same ${words('b')}`)).toEqual([])
})
it('leaves very long lines alone', () =>
  expect(marked(`-${'a '.repeat(600)}`, `+${'a '.repeat(600)}b`)).toEqual([]))
