// @vitest-environment jsdom
import { expect, it } from 'vitest'
import type { SectionSize } from './section-rows.ts'
import { findRow, nextNeeding, placeFrom, placeOf, routeOfPlace } from './selection.ts'

const TASK = '3fa2c1d0-1111-4222-8333-444455556666'
const OTHER = '4fa2c1d0-1111-4222-8333-444455556666'
const row = (name: string, outbox?: 'queued') => ({
  host: 'local',
  taskId: TASK,
  ticketId: `${TASK}:${name}`,
  ...(outbox === undefined ? {} : { outbox }),
})
const place = (name: string) => placeOf(row(name))
const at = (rows: ReturnType<typeof row>[]) => (index: number) => rows[index]

it('finds the selected row where the list has moved it', () => {
  const rows = ['new', 'a', 'b', 'c'].map((name) => row(name))
  expect(findRow(at(rows), place('b'), 1)).toBe(2)
  expect(findRow(at(rows), place('a'), 3)).toBe(1)
  expect(findRow(at(rows), place('gone'), 1)).toBeUndefined()
})

it('goes on with the next one below, then from the top', () => {
  const sections: SectionSize[] = [
    { section: 'needs_you', count: 3 },
    { section: 'reviewer', count: 1 },
  ]
  const rows = ['a', 'b', 'c', 'of the reviewer'].map((name) => row(name))
  const after = (name: string, number: number | undefined) =>
    nextNeeding(at(rows), sections, { place: place(name), row: number })
  expect(after('a', 0)).toEqual(place('b'))
  expect(after('c', 2)).toEqual(place('a'))
  expect(after('of the reviewer', 3)).toEqual(place('a'))
  expect(after('gone', undefined)).toEqual(place('a'))
})

it('stays with the task as long as something else of it waits', () => {
  const sections: SectionSize[] = [{ section: 'needs_you', count: 4 }]
  const other = { ...row('x'), taskId: OTHER, ticketId: `${OTHER}:x` }
  const elsewhere = { ...row('a'), host: 'devbox' }
  const rows = [row('a'), other, elsewhere, row('b')]
  const after = (number: number) => {
    const decided = rows[number]
    return decided && nextNeeding(at(rows), sections, { place: placeOf(decided), row: number })
  }
  expect(after(0)).toEqual(place('b'))
  expect(after(3)).toEqual(place('a'))
  expect(after(1)).toEqual(placeOf(elsewhere))
  expect(after(2)).toEqual(place('b'))
})

it('passes over what has an answer on its way, and over itself', () => {
  const sections: SectionSize[] = [{ section: 'needs_you', count: 2 }]
  const decided = { place: place('a'), row: 0 }
  expect(nextNeeding(at([row('a'), row('b', 'queued')]), sections, decided)).toBeUndefined()
  expect(nextNeeding(at([]), [], decided)).toBeUndefined()
})

it('keeps a ticket through its route, whatever the executor calls it', () => {
  const odd = { host: 'dev.box', id: `${TASK}:per_1/(x)%` }
  const parts = routeOfPlace(odd).split('/').slice(2).map(decodeURIComponent)
  expect(placeFrom(parts)).toEqual(odd)
})
