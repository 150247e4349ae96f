import { describe, expect, it } from 'vitest'
import { until } from './until.ts'

describe('until', () => {
  it('returns the first answer that is there', async () => {
    let calls = 0
    const answer = await until('the third call', () => (++calls === 3 ? `call ${calls}` : undefined), {
      intervalMs: 1,
    })
    expect(answer).toBe('call 3')
  })

  it('says what was awaited and what was last seen when time is up', async () => {
    const waiting = until('a green light', () => false, { timeoutMs: 15, intervalMs: 5 })
    await expect(waiting).rejects.toThrow('Waited 15 ms for a green light; it last answered false.')
  })

  it('treats a throwing probe as not yet and keeps the last error as the cause', async () => {
    const reason = new Error('no such file')
    const waiting = until(
      'the file',
      () => {
        throw reason
      },
      { timeoutMs: 10, intervalMs: 5 },
    )
    await expect(waiting).rejects.toMatchObject({ cause: reason })
  })
})
