import { expect, it } from 'vitest'
import { renderTable } from './table.ts'
import { displayWidth } from '../../shared/domain/text-width.ts'

const columns = [
  { title: 'ID', cell: (row: string[]) => row[0] ?? '' },
  { title: 'TITLE', cell: (row: string[]) => row[1] ?? '', shrinkTo: 10 },
  { title: 'REPO', cell: (row: string[]) => row[2] ?? '', shrinkTo: 6 },
]
const rows = [
  ['3fa2c1d0', '给首页加上深色模式，并且让设置页面记住选择', 'a-repository-with-a-long-name'],
  ['77777777', 'short', 'repo'],
]

it.each([140, 80, 50, 30])('fits into %i columns with wide characters', (width) => {
  for (const line of renderTable(columns, rows, { columns: width, header: (text) => text }))
    expect(displayWidth(line)).toBeLessThanOrEqual(width)
})

it('keeps the column of ids whole, and columns below one another', () => {
  const lines = renderTable(columns, rows, { columns: 60, header: (text) => text })
  expect(lines[1]).toMatch(/^3fa2c1d0 {2}/)
  const start = (line: string, text: string) => displayWidth(line.slice(0, line.indexOf(text)))
  expect(start(lines[2] ?? '', 'repo')).toBe(start(lines[0] ?? '', 'REPO'))
})
