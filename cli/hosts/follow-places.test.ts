import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { eventMark } from '../../shared/protocol/records.ts'
import { createFollowPlaces } from './follow-places.ts'

let home = ''
beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'handoff-places-'))))
afterEach(() => rmSync(home, { recursive: true, force: true }))

const event = { seq: 41, taskId: 't', at: 7, type: 'note', body: {} }

it('remembers up to where a task was followed', () => {
  const places = createFollowPlaces(home, 'me')
  expect(places.get('t')).toEqual({ seq: 0 })
  places.set(event)
  expect(createFollowPlaces(home, 'me').get('t')).toEqual({ seq: 41, mark: eventMark(event) })
})

it.each([
  ['a number, as earlier versions wrote it', '41', { seq: 41 }],
  ['something else', 'forty-one', { seq: 0 }],
])('reads %s', (_, text, place) => {
  mkdirSync(join(home, 'follow/me'), { recursive: true })
  writeFileSync(join(home, 'follow/me/t'), text)
  expect(createFollowPlaces(home, 'me').get('t')).toEqual(place)
})
