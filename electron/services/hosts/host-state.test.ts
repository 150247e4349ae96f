import { describe, expect, it } from 'vitest'
import { AppError } from '../../../shared/errors.ts'
import { firstSituation, hostStateOf } from './host-state.ts'

const lost = new AppError({ code: 'host_unreachable', message: 'gone' })
const mismatch = (details?: Record<string, unknown>) =>
  new AppError({ code: 'protocol_mismatch', message: 'other', ...(details ? { details } : {}) })

describe('a connected host', () => {
  const connected = { ...firstSituation, phase: 'connected' as const, headSeq: 10 }
  it('is catching up until its newest event is here', () => {
    expect(hostStateOf({ ...connected, appliedSeq: 4 })).toEqual({ kind: 'catching_up', behind: 6 })
    expect(hostStateOf({ ...connected, appliedSeq: undefined, received: 500 })).toEqual({
      kind: 'catching_up',
      behind: 10,
      received: 500,
    })
    expect(hostStateOf({ ...connected, appliedSeq: 10, liveSince: 7 })).toEqual({ kind: 'live', since: 7 })
    expect(hostStateOf({ ...connected, appliedSeq: 12, liveSince: 7 })).toEqual({ kind: 'live', since: 7 })
  })
  it('is not live before a first snapshot, even when it has no events', () =>
    expect(hostStateOf({ ...connected, headSeq: 0 })).toEqual({ kind: 'catching_up', behind: 0 }))
})

describe('a lost host', () => {
  const waiting = { ...firstSituation, phase: 'waiting' as const, error: lost, lostAt: 5, retryAt: 9 }
  it('stays offline since then while it is tried again', () => {
    expect(hostStateOf(waiting)).toMatchObject({ kind: 'offline', since: 5, retryAt: 9 })
    const trying = hostStateOf({ ...waiting, phase: 'connecting' })
    expect(trying).toMatchObject({ kind: 'offline', since: 5 })
    expect(trying).not.toHaveProperty('retryAt')
  })
  it('shows the try that the person asked for', () =>
    expect(hostStateOf({ ...waiting, phase: 'connecting', asked: true })).toEqual({ kind: 'connecting' }))
  it('shows that agentd is being started', () =>
    expect(hostStateOf({ ...waiting, phase: 'starting' })).toEqual({ kind: 'starting' }))
})

describe('a host that wants somebody to do something', () => {
  const stopped = { ...firstSituation, phase: 'stopped' as const, lostAt: 5 }
  it('is refused with its reason', () =>
    expect(
      hostStateOf({ ...stopped, error: new AppError({ code: 'unauthorized', message: 'no' }) }),
    ).toMatchObject({ kind: 'refused', since: 5, error: { code: 'unauthorized' } }))
  it.each([
    [{ host: 1, client: 2 }, 'host_older'],
    [{ host: 3, client: 2 }, 'host_newer'],
    [{ host: 'x', client: 2 }, 'unknown'],
    [undefined, 'unknown'],
  ] as const)('says which side speaks the older protocol: %o', (details, which) =>
    expect(hostStateOf({ ...stopped, error: mismatch(details) })).toMatchObject({ kind: 'version', which }),
  )
})
