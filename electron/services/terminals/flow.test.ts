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

  it('goes on while the window has no more to draw than it keeps ready for itself', () => {
    const flow = createFlow(300_000)
    expect(flow.sent(400_000)).toBeUndefined()
    expect(flow.sent(1)).toBe('pause')
    expect(flow.acked(95_001)).toBeUndefined()
    expect(flow.acked(1)).toBe('resume')
    expect(flow.unackedChars()).toBe(4_999)
    // What is drawn beyond that makes no more room than there was.
    flow.acked(1_000_000)
    expect(flow.sent(400_001)).toBe('pause')
  })

  it('does not believe a window that acknowledges more than it got', () => {
    const flow = createFlow()
    flow.sent(10)
    flow.acked(1_000_000)
    expect(flow.sent(100_001)).toBe('pause')
  })
})
