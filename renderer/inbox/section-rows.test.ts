import { expect, it } from 'vitest'
import {
  entryAt,
  entryCount,
  lineAt,
  lineOfRow,
  rowsOf,
  topOfLine,
  type SectionSize,
} from './section-rows.ts'

const sections: SectionSize[] = [
  { section: 'needs_you', count: 2 },
  { section: 'reviewer', count: 0 },
  { section: 'to_review', count: 1 },
]

it('puts a head before each section that has rows', () => {
  const lines = Array.from({ length: entryCount(sections) }, (_, line) => entryAt(sections, line))
  expect(lines).toEqual([
    { kind: 'head', section: 'needs_you', count: 2 },
    { kind: 'row', row: 0, section: 'needs_you' },
    { kind: 'row', row: 1, section: 'needs_you' },
    { kind: 'head', section: 'to_review', count: 1 },
    { kind: 'row', row: 2, section: 'to_review' },
  ])
  expect(entryAt(sections, 5)).toBeUndefined()
})

it('finds the line of each row again, also with fifty thousand of them', () => {
  const many: SectionSize[] = [
    { section: 'needs_you', count: 20_000 },
    { section: 'to_review', count: 29_999 },
    { section: 'offline', count: 1 },
  ]
  for (const row of [0, 19_999, 20_000, 49_998, 49_999])
    expect(entryAt(many, lineOfRow(many, row))).toMatchObject({ kind: 'row', row })
  expect(entryCount(many)).toBe(50_003)
})

it('knows which rows belong to a section', () => {
  expect(rowsOf(sections, 'to_review')).toEqual({ from: 2, to: 3 })
  expect(rowsOf(sections, 'offline')).toEqual({ from: 0, to: 0 })
})

it('knows where each line lies, and which line lies where', () => {
  const px = { rowPx: 50, headPx: 30 }
  const tops = [0, 1, 2, 3, 4, 5].map((line) => topOfLine(sections, line, px))
  expect(tops).toEqual([0, 30, 80, 130, 160, 210])
  expect(
    [-5, 0, 29, 30, 79.5, 80, 129, 130, 159, 160, 209, 210, 9_999].map((y) => lineAt(sections, y, px)),
  ).toEqual([0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 4])
  expect(topOfLine([], 0, px)).toBe(0)
  expect(lineAt([], 100, px)).toBe(0)
})
