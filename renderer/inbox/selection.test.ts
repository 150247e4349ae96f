// @vitest-environment jsdom
import { expect, it } from 'vitest'
import type { SectionSize } from './section-rows.ts'
import { findRow, nextNeeding, placeFrom, placeOf, routeOfPlace } from './selection.ts'

const TASK = '3fa2c1d0-1111-4222-8333-444455556666'
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
  expect(nextNeeding(at(rows), sections, 0)).toEqual(place('b'))
  expect(nextNeeding(at(rows), sections, 2)).toEqual(place('a'))
  expect(nextNeeding(at(rows), sections, 3)).toEqual(place('a'))
  expect(nextNeeding(at(rows), sections, undefined)).toEqual(place('a'))
})

it('passes over what has an answer on its way, and over itself', () => {
  const sections: SectionSize[] = [{ section: 'needs_you', count: 2 }]
  expect(nextNeeding(at([row('a'), row('b', 'queued')]), sections, 0)).toBeUndefined()
  expect(nextNeeding(at([]), [], undefined)).toBeUndefined()
})

it('keeps a ticket through its route, whatever the executor calls it', () => {
  const odd = { host: 'dev.box', id: `${TASK}:per_1/(x)%` }
  const parts = routeOfPlace(odd).split('/').slice(2).map(decodeURIComponent)
  expect(placeFrom(parts)).toEqual(odd)
})
