import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createFollowPlaces } from './follow-places.ts'

let home = ''
beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'handoff-places-'))))
afterEach(() => rmSync(home, { recursive: true, force: true }))

it('remembers up to where a task was followed', () => {
  const places = createFollowPlaces(home, 'me')
  expect(places.get('t')).toBe(0)
  places.set('t', 41)
  expect(createFollowPlaces(home, 'me').get('t')).toBe(41)
})
