import { describe, expect, it } from 'vitest'
import { until } from '../../tests/support/until.ts'
import { createFeed } from './feed.ts'

const KI = 1024
const decoder = new TextDecoder()

/** A terminal that reads `bytesPerMs` when the test says so, with a clock of its own. */
function start(bytesPerMs = 8 * KI) {
  let clock = 1_000
  const written: { bytes: Uint8Array; read: () => void }[] = []
  const feed = createFeed({ write: (bytes, read) => written.push({ bytes, read }), now: () => clock })
  const slices: number[] = []
  let text = ''
  return {
    feed,
    slices,
    written,
    text: () => text,
    passMs: (ms: number) => (clock += ms),
    /** Reads what has been written, and what is written by that. */
    readAll(): void {
      for (let next = written.shift(); next !== undefined; next = written.shift()) {
        clock += next.bytes.length / bytesPerMs
        text += decoder.decode(next.bytes)
        if (next.bytes.length > 0) slices.push(next.bytes.length)
        next.read()
      }
    },
  }
}
const bytes = (size: number) => new Uint8Array(size).fill(120)
const nothing = () => undefined

describe('feeding the terminal', () => {
  it('passes on at once what comes after a pause and whatever is little', () => {
    const { feed, written, readAll } = start()
    for (let index = 0; index < 5; index += 1) {
      feed.add(bytes(200), nothing)
      expect(written.length).toBe(1)
      readAll()
    }
  })

  it('puts a flood together, in order, and tells of every piece that was read', () => {
    const { feed, slices, text, readAll, passMs } = start()
    const read: number[] = []
    let sent = ''
    for (let index = 0; index < 400; index += 1) {
      const piece = `${index} `.repeat(3_000)
      sent += piece
      feed.add(new TextEncoder().encode(piece), () => read.push(index))
      if (index % 20 === 19) {
        readAll()
        passMs(100)
      }
    }
    feed.add(new TextEncoder().encode('end'), () => read.push(400))
    readAll()
    expect(text()).toBe(`${sent}end`)
    expect(read).toEqual(Array.from({ length: 401 }, (_none, index) => index))
    expect(slices.length).toBeLessThan(60)
  })

  it.each([
    ['a slow machine', 1 * KI, 110 * KI, 128 * KI],
    ['a usual machine', 8 * KI, 270 * KI, 340 * KI],
    ['a fast machine', 100 * KI, 450 * KI, 512 * KI],
  ])('cuts slices as %s can read them', (_name, speed, atLeast, atMost) => {
    const { feed, slices, readAll } = start(speed)
    for (let index = 0; index < 2_000; index += 1) feed.add(bytes(10 * KI), nothing)
    readAll()
    const [slice = 0] = slices.slice(-2)
    expect(slice).toBeGreaterThan(atLeast)
    expect(slice).toBeLessThanOrEqual(atMost)
  })

  it.each([
    ['a painted screen', 20 * KI, 29, 31],
    ['a flood', 64 * KI, 99, 101],
  ])('gathers after %s, and not for ever', async (_name, size, tooSoonMs, enoughMs) => {
    const { feed, written, readAll, passMs } = start()
    feed.add(bytes(size), nothing)
    readAll()
    passMs(tooSoonMs)
    feed.add(bytes(10 * KI), nothing)
    feed.add(bytes(10 * KI), nothing)
    expect(written).toEqual([])
    await until('the next slice', () => written.length === 2)
    expect(written[1]?.bytes.length).toBe(20 * KI)
    readAll()
    passMs(enoughMs)
    feed.add(bytes(10 * KI), nothing)
    expect(written.length).toBe(1)
  })
})
