import { describe, expect, it } from 'vitest'
import type { WireEvent } from '../../shared/protocol/records.ts'
import { joinEvents } from './join-events.ts'

const events = (...seqs: number[]): WireEvent[] =>
  seqs.map((seq) => ({
    seq,
    taskId: '00000000-0000-4000-8000-000000000001',
    at: seq,
    type: 'progress',
    body: {},
  }))
const seqs = (joined: readonly WireEvent[]) => joined.map(({ seq }) => seq)

describe('older and newest events', () => {
  it('are joined where they meet, each event once', () => {
    expect(seqs(joinEvents(events(1, 2, 5), events(5, 7, 9)))).toEqual([1, 2, 5, 7, 9])
    expect(seqs(joinEvents(events(1, 2, 5, 7), events(2, 5, 7, 9)))).toEqual([1, 2, 5, 7, 9])
  })

  it('are not joined over a gap', () => {
    expect(seqs(joinEvents(events(1, 2), events(5, 7)))).toEqual([5, 7])
  })

  it('are what there is when one side is empty', () => {
    expect(seqs(joinEvents([], events(5)))).toEqual([5])
    expect(seqs(joinEvents(events(5), []))).toEqual([5])
  })
})
