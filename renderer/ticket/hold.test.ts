import { beforeEach, describe, expect, it } from 'vitest'
import { ARMED_MS, createHold, HOLD_MS, type Hold, type HoldState } from './hold.ts'

let now = 0
let timers: { at: number; run: () => void }[] = []
let states: HoldState[] = []
let done = 0
let isHeld = true
let hold: Hold

function pass(ms: number): void {
  now += ms
  const due = timers.filter((timer) => timer.at <= now)
  timers = timers.filter((timer) => timer.at > now)
  for (const timer of due) timer.run()
}

beforeEach(() => {
  now = 0
  timers = []
  states = []
  done = 0
  isHeld = true
  hold = createHold({
    after(delayMs, run) {
      const timer = { at: now + delayMs, run }
      timers.push(timer)
      return () => void (timers = timers.filter((one) => one !== timer))
    },
    onState: (state) => states.push(state),
    onDone: () => (done += 1),
    isHeld: () => isHeld,
  })
})

describe('a dangerous approval', () => {
  it('counts when it was held to the end, once', () => {
    hold.press()
    pass(HOLD_MS - 1)
    expect(done).toBe(0)
    pass(1)
    expect(done).toBe(1)
    hold.release()
    pass(HOLD_MS * 3)
    expect(done).toBe(1)
  })

  it('does nothing when it was let go early, and says how it works', () => {
    hold.press()
    pass(HOLD_MS - 1)
    hold.release()
    pass(HOLD_MS * 3)
    expect(done).toBe(0)
    expect(states.at(-1)).toBe('hint')
  })

  it('counts with a second click, but not one that comes too late', () => {
    hold.click()
    expect(states.at(-1)).toBe('armed')
    pass(ARMED_MS)
    hold.click()
    expect(done).toBe(0)
    hold.click()
    expect(done).toBe(1)
  })

  it('asks for a second press when nobody can tell whether the key was held', () => {
    isHeld = false
    hold.press()
    pass(HOLD_MS)
    expect(done).toBe(0)
    expect(states.at(-1)).toBe('armed')
  })

  it('does not begin anew while a held key repeats', () => {
    hold.press()
    pass(500)
    hold.press()
    pass(HOLD_MS - 500)
    expect(done).toBe(1)
  })
})
