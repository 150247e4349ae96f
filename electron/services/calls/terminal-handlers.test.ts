import { describe, expect, it } from 'vitest'
import type { TerminalService } from '../terminals/types.ts'
import type { CallServices } from './services.ts'
import { createTerminalHandlers } from './terminal-handlers.ts'

/** Two windows, and terminals that write down what reaches them. */
function start() {
  const done: string[] = []
  const owners = new Map<string, string>()
  const note = (name: string) => (terminalId: string) => void done.push(`${name} ${terminalId}`)
  const terminals: Partial<TerminalService> = {
    open({ windowId }) {
      const id = `t${owners.size + 1}`
      owners.set(id, windowId)
      return Promise.resolve(id)
    },
    windowOf: (id) => owners.get(id),
    write: note('write'),
    resize: note('resize'),
    ack: note('ack'),
    control: note('control'),
    retry: note('retry'),
    close: note('close'),
  }
  const unused = {} as CallServices
  return {
    done,
    handlers: createTerminalHandlers({ ...unused, terminals: terminals as TerminalService }),
  }
}

const where = {
  host: 'local',
  taskId: '00000000-0000-4000-8000-000000000000',
  cols: 80,
  rows: 24,
  aheadChars: 0,
}

describe('a terminal', () => {
  it('obeys the window that opened it and no other', async () => {
    const { done, handlers } = start()
    const mine = { windowId: 'mine' }
    const { terminalId } = await handlers['terminal.open'](where, mine)
    const attempts = [
      (caller: typeof mine) => handlers['terminal.write']({ terminalId, data: 'rm -rf ~\r' }, caller),
      (caller: typeof mine) => handlers['terminal.resize']({ terminalId, cols: 2, rows: 1 }, caller),
      (caller: typeof mine) => handlers['terminal.ack']({ terminalId, chars: 1 }, caller),
      (caller: typeof mine) => handlers['terminal.control']({ terminalId, take: true }, caller),
      (caller: typeof mine) => handlers['terminal.retry']({ terminalId }, caller),
      (caller: typeof mine) => handlers['terminal.close']({ terminalId }, caller),
    ]
    for (const attempt of attempts)
      expect(() => attempt({ windowId: 'other' })).toThrow(expect.objectContaining({ code: 'bad_request' }))
    expect(done).toEqual([])
    for (const attempt of attempts) expect(attempt(mine)).toEqual({})
    expect(done).toEqual(['write', 'resize', 'ack', 'control', 'retry', 'close'].map((name) => `${name} t1`))
  })

  it('that nobody has any more is closed and acknowledged without a word', () => {
    const { done, handlers } = start()
    expect(handlers['terminal.close']({ terminalId: 't9' }, { windowId: 'mine' })).toEqual({})
    expect(handlers['terminal.ack']({ terminalId: 't9', chars: 1 }, { windowId: 'mine' })).toEqual({})
    expect(done).toEqual(['close t9', 'ack t9'])
  })
})
