import { describe, expect, it } from 'vitest'
import { decodeTerminalFrame, encodeTerminalFrame } from './terminal-frame.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('a piece of output as a message', () => {
  it('is read back as it was', () => {
    const piece = {
      terminalId: '6f6c1d8e-0b6f-4c7e-9a51-5a2f6f0c9d11',
      seq: 4_000_000_001,
      reset: true,
      chunk: bytes('\x1b[1m漢字 😀\0'),
      chars: 10,
    }
    const frame = encodeTerminalFrame(piece)
    expect(decodeTerminalFrame(frame.buffer as ArrayBuffer)).toEqual(piece)
    const plain = { ...piece, reset: false, seq: 1, chunk: bytes('x'), chars: 1 }
    expect(decodeTerminalFrame(encodeTerminalFrame(plain).buffer as ArrayBuffer)).toEqual(plain)
  })

  it('is nothing when it was cut off', () => {
    const frame = encodeTerminalFrame({
      terminalId: 't1',
      seq: 1,
      reset: false,
      chunk: bytes(''),
      chars: 1,
    })
    expect(decodeTerminalFrame(frame.buffer.slice(0, 11) as ArrayBuffer)).toBeUndefined()
    expect(decodeTerminalFrame(new ArrayBuffer(3))).toBeUndefined()
  })
})
