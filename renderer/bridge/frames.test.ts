import { describe, expect, it } from 'vitest'
import { ipcAnswerSchema } from '../../shared/ipc.ts'
import { readFrame, readKey } from './frames.ts'

const read = (frame: unknown) => readFrame(JSON.stringify(frame))

describe('frames from the services', () => {
  it('are answers and events', () => {
    const error = { code: 'timeout', message: 'Too late.', hint: 'Try again.' }
    expect(read({ id: 3, answer: { ok: true, value: [1] } })).toEqual({
      id: 3,
      answer: { ok: true, value: [1] },
    })
    expect(read({ id: 4, answer: { ok: false, error } })).toEqual({ id: 4, answer: { ok: false, error } })
    expect(read({ event: 'desk.changed', payload: {} })).toEqual({ event: 'desk.changed', payload: {} })
  })

  it('are nothing in any other shape', () => {
    for (const other of [
      null,
      7,
      [],
      {},
      { id: '1', answer: { ok: true } },
      { id: 1 },
      { id: 1, answer: {} },
    ])
      expect(read(other), JSON.stringify(other)).toBeUndefined()
    expect(read({ id: 1, answer: { ok: false } })).toBeUndefined()
    expect(read({ id: 1, answer: { ok: false, error: { code: 1, message: 'x' } } })).toBeUndefined()
    expect(readFrame('{')).toBeUndefined()
  })

  it('hold answers that the contract takes too', () => {
    for (const answer of [
      { ok: true, value: 1 },
      { ok: false, error: { code: 'internal', message: '' } },
    ]) {
      expect(ipcAnswerSchema.safeParse(answer).success).toBe(true)
      expect(read({ id: 1, answer })).toBeDefined()
    }
  })
})

it('takes a key of a sign-in only when it is one', () => {
  expect(readKey({ key: 'abc' })).toBe('abc')
  for (const other of [undefined, {}, { key: 1 }, { key: 'x'.repeat(201) }])
    expect(readKey(other)).toBeUndefined()
})
