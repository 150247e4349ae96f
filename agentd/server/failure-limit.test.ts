import { expect, it } from 'vitest'
import { createFailureLimit } from './failure-limit.ts'

function limit() {
  const clock = { ms: 0 }
  return { clock, ...createFailureLimit({ failures: 2, windowMs: 1_000, now: () => clock.ms }) }
}

it('lets an address wait after its failures until the window is over', () => {
  const { clock, failed, waitMs } = limit()
  failed('10.0.0.1')
  expect(waitMs('10.0.0.1')).toBe(0)
  clock.ms = 400
  failed('10.0.0.1')
  expect(waitMs('10.0.0.1')).toBe(600)
  expect(waitMs('10.0.0.2')).toBe(0)
  clock.ms = 1_000
  expect(waitMs('10.0.0.1')).toBe(0)
})

it('counts the addresses of one IPv6 network together', () => {
  const { failed, waitMs } = limit()
  failed('2001:db8:1:2::1')
  failed('2001:db8:1:2:ffff::9')
  expect(waitMs('2001:db8:1:2::3')).toBeGreaterThan(0)
  expect(waitMs('2001:db8:1:3::3')).toBe(0)
  expect(waitMs('::1')).toBe(0)
})

it('forgets the oldest of very many addresses', () => {
  const { failed, waitMs } = limit()
  failed('10.0.0.1')
  failed('10.0.0.1')
  for (let index = 0; index < 1_024; index += 1) failed(`10.1.${index >> 8}.${index & 255}`)
  expect(waitMs('10.0.0.1')).toBe(0)
})
