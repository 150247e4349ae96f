import { afterEach, describe, expect, it } from 'vitest'
import type { IpcAnswer } from '../../shared/ipc.ts'
import { until } from '../../tests/support/until.ts'
import { startBridge } from '../bridge/bridge.ts'
import { createTerminalLink, pieces } from './terminal-link.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)

type Call = { name: string; input: Record<string, unknown> }

/** Services of the test's making: they open terminals, keep what they are told, and say what they are made to say. */
function start(answerTo: (call: Call) => IpcAnswer | Promise<IpcAnswer> | undefined = () => undefined) {
  const calls: Call[] = []
  let tell: (name: string, payload: unknown) => void = () => undefined
  let opened = 0
  startBridge({
    async call(name, input) {
      const made = { name, input: input as Call['input'] }
      calls.push(made)
      const answer = answerTo(made)
      if (answer !== undefined) return answer
      return { ok: true, value: name === 'terminal.open' ? { terminalId: `t${(opened += 1)}` } : {} }
    },
    subscribe(listener) {
      tell = listener
      return () => undefined
    },
  })
  const screen: { chunk: Uint8Array; reset: boolean; drawn: () => void }[] = []
  const states: string[] = []
  const link = createTerminalLink({
    host: 'box',
    taskId: 'task',
    onScreen: (chunk, reset, drawn) => screen.push({ chunk, reset, drawn }),
    onState: (state) => states.push(state.kind),
  })
  links.push(link)
  const named = (name: string) => calls.filter((one) => one.name === name)
  return {
    link,
    screen,
    states,
    named,
    data: (terminalId: string, seq: number, chunk: string) =>
      tell('terminal.data', { terminalId, seq, reset: seq === 1, chunk: utf8(chunk), chars: chunk.length }),
    ackedChars: () => named('terminal.ack').reduce((sum, { input }) => sum + Number(input['chars']), 0),
    isOpen: (count: number) => until('the terminal to open', () => named('terminal.open').length === count),
  }
}
const links: { close(): void }[] = []
afterEach(() => {
  for (const link of links.splice(0)) link.close()
})

describe('the window’s end of a terminal', () => {
  it('opens when it knows its size, and hears what was said before the answer came', async () => {
    let answer: (value: IpcAnswer) => void = () => undefined
    const { link, screen, data, named } = start(({ name }) =>
      name === 'terminal.open' ? new Promise<IpcAnswer>((resolve) => (answer = resolve)) : undefined,
    )
    link.resize({ cols: 80, rows: 24 })
    data('t1', 1, 'early')
    data('other', 1, 'not mine')
    answer({ ok: true, value: { terminalId: 't1' } })
    await until('the screen', () => screen.length > 0)
    expect(screen).toMatchObject([{ chunk: utf8('early'), reset: true }])
    link.resize({ cols: 81, rows: 24 })
    link.resize({ cols: 81, rows: 24 })
    expect(named('terminal.resize').map(({ input }) => input)).toEqual([
      { terminalId: 't1', cols: 81, rows: 24 },
    ])
  })

  it('says how much it keeps ready for itself, and acknowledges what was drawn', async () => {
    const { link, screen, data, named, ackedChars, isOpen } = start()
    link.resize({ cols: 80, rows: 24 })
    await isOpen(1)
    const chunk = 'x'.repeat(64 * 1024)
    for (let seq = 1; seq <= 6; seq += 1) data('t1', seq, chunk)
    await until('all of it', () => screen.length === 6)
    expect(named('terminal.open')[0]?.input).toMatchObject({ aheadChars: 1024 * 1024 })
    expect(ackedChars()).toBe(0)
    screen[0]?.drawn()
    await until('the first to be acknowledged', () => ackedChars() === 64 * 1024)
    for (const piece of screen.slice(1)) piece.drawn()
    await until('all to be acknowledged', () => ackedChars() === 6 * 64 * 1024)
    expect(named('terminal.ack')).toHaveLength(2)
  })

  it('leaves far less unacknowledged of what was drawn than it keeps ready', async () => {
    const { link, screen, data, ackedChars, isOpen } = start()
    link.resize({ cols: 80, rows: 24 })
    await isOpen(1)
    for (let seq = 1; seq <= 200; seq += 1) data('t1', seq, 'x'.repeat(777))
    await until('all of it', () => screen.length === 200)
    for (const piece of screen) piece.drawn()
    await until('an acknowledgement', () => ackedChars() > 0)
    expect(155_400 - ackedChars()).toBeLessThan(128 * 1024)
    expect(ackedChars()).toBeLessThanOrEqual(155_400)
  })

  it('begins anew after a gap, and when the services have forgotten it', async () => {
    let forgotten = false
    const { link, screen, data, named, isOpen } = start(({ name }) =>
      forgotten && name === 'terminal.resize'
        ? { ok: false, error: { code: 'bad_request', message: 'no such terminal' } }
        : undefined,
    )
    link.resize({ cols: 80, rows: 24 })
    await isOpen(1)
    data('t1', 1, 'a')
    data('t1', 3, 'c')
    await isOpen(2)
    expect(named('terminal.close').map(({ input }) => input)).toEqual([{ terminalId: 't1' }])
    await until('the new one', () => {
      data('t2', 1, 'new')
      return String(screen.at(-1)?.chunk) === String(utf8('new'))
    })
    forgotten = true
    link.resize({ cols: 90, rows: 24 })
    await isOpen(3)
  })

  it('says why it could not be opened, and tries again on demand', async () => {
    let fails = true
    const { link, states, isOpen } = start(({ name }) =>
      fails && name === 'terminal.open'
        ? { ok: false, error: { code: 'rate_limited', message: 'too many' } }
        : undefined,
    )
    link.resize({ cols: 80, rows: 24 })
    await until('the refusal', () => states.at(-1) === 'ended')
    fails = false
    link.retry()
    await isOpen(2)
  })

  it('sends long input in pieces without cutting a character', () => {
    const text = `${'x'.repeat(64 * 1024 - 1)}😀${'y'.repeat(70_000)}`
    const cut = [...pieces(text)]
    expect(cut.join('')).toBe(text)
    expect(cut.every((piece) => piece.length <= 64 * 1024 && !/\p{Cs}/u.test(piece))).toBe(true)
  })
})
