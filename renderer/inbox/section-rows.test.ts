import { expect, it } from 'vitest'
import { entryAt, entryCount, lineOfRow, rowsOf, type SectionSize } from './section-rows.ts'

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
