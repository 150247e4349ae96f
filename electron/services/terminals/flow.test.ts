import { describe, expect, it } from 'vitest'
import { createFlow } from './flow.ts'

describe('the flow to a window', () => {
  it('pauses once above 100 000 unacknowledged characters and resumes once below 5 000', () => {
    const flow = createFlow()
    expect(flow.sent(100_000)).toBeUndefined()
    expect(flow.sent(1)).toBe('pause')
    expect(flow.sent(60_000)).toBeUndefined()
    expect(flow.acked(155_001)).toBeUndefined()
    expect(flow.isPaused()).toBe(true)
    expect(flow.acked(1)).toBe('resume')
    expect(flow.acked(4_999)).toBeUndefined()
    expect(flow.unackedChars()).toBe(0)
  })

  it('does not believe a window that acknowledges more than it got', () => {
    const flow = createFlow()
    flow.sent(10)
    flow.acked(1_000_000)
    expect(flow.sent(100_001)).toBe('pause')
  })
})
