import { describe, expect, it } from 'vitest'
import { until } from '../../../tests/support/until.ts'
import { createRunOutput } from './run-output.ts'

function output() {
  const sent: { channel: string; chunk: string }[] = []
  return { sent, out: createRunOutput((channel, chunk) => void sent.push({ channel, chunk })) }
}

describe('the output of a command', () => {
  it('keeps the order of both channels and gathers what follows on one', () => {
    const { sent, out } = output()
    void out.add(Buffer.from('a'), 'stdout')
    void out.add(Buffer.from('b'), 'stdout')
    void out.add(Buffer.from('c'), 'stderr')
    void out.add(Buffer.from('d'), 'stdout')
    out.end()
    expect(sent).toEqual([
      { channel: 'stdout', chunk: 'ab' },
      { channel: 'stderr', chunk: 'c' },
      { channel: 'stdout', chunk: 'd' },
    ])
  })

  it('never takes a character apart', async () => {
    const { sent, out } = output()
    const bytes = Buffer.from('深')
    void out.add(bytes.subarray(0, 1), 'stdout')
    void out.add(Buffer.from('x'), 'stderr')
    await until('the first batch', () => sent.length > 0)
    void out.add(bytes.subarray(1), 'stdout')
    out.end()
    expect(sent).toEqual([
      { channel: 'stderr', chunk: 'x' },
      { channel: 'stdout', chunk: '深' },
    ])
  })

  it('lets a flood wait until what there is was sent', async () => {
    const { sent, out } = output()
    await out.add(Buffer.alloc(300 * 1024, 'x'), 'stdout')
    expect(sent.map(({ chunk }) => chunk.length)).toEqual([300 * 1024])
    out.end()
  })
})
