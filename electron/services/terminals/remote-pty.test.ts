import { describe, expect, it } from 'vitest'
import type { ToPtyHost } from '../../../shared/pty-messages.ts'
import { createRemotePty } from './remote-pty.ts'

/** A pty whose host is the test. */
function start() {
  const told: ToPtyHost[] = []
  const heard: string[] = []
  const pty = createRemotePty({ id: 1, send: (message) => void told.push(message), onEnd: () => undefined })
  return {
    pty,
    heard,
    told: (kind: ToPtyHost['t']) => told.filter(({ t }) => t === kind),
    listen(onData: (text: string) => void = () => undefined): void {
      pty.onData((data) => {
        const text = Buffer.from(data).toString()
        heard.push(text)
        onData(text)
      })
      pty.onExit(({ lost }) => heard.push(lost ? 'lost' : 'ended'))
    },
    says: (text: string) =>
      pty.hear({ t: 'data', id: 1, data: new Uint8Array(Buffer.from(text)), chars: text.length }),
    ends: () => pty.hear({ t: 'exit', id: 1, code: 0 }),
  }
}
const big = 'x'.repeat(40_000)

describe('a pty of another process', () => {
  it('passes nothing on while it is paused, and what was on its way at once when it goes on', () => {
    const { pty, heard, told, listen, says } = start()
    listen()
    says('one')
    pty.pause()
    says('two')
    says(big)
    expect(heard).toEqual(['one'])
    // The other side counts it as on its way, and so stops by itself.
    expect(told('got')).toEqual([])
    pty.resume()
    expect(heard).toEqual(['one', 'two', big])
    expect(told('got')).toEqual([{ t: 'got', id: 1, chars: 40_006 }])
    expect(told('resume')).toHaveLength(1)
  })

  it('stays paused when what it has kept is too much again', () => {
    const { pty, heard, told, listen, says } = start()
    listen((text) => text === 'three' && pty.pause())
    pty.pause()
    for (const text of ['two', 'three', 'four']) says(text)
    pty.resume()
    expect(heard).toEqual(['two', 'three'])
    expect(told('resume')).toEqual([])
    pty.resume()
    expect(heard).toEqual(['two', 'three', 'four'])
    expect(told('resume')).toHaveLength(1)
  })

  it('keeps the order when a listener pauses and resumes at once', () => {
    const { pty, heard, listen, says } = start()
    listen(() => {
      pty.pause()
      pty.resume()
    })
    pty.onData((data) => heard.push(`again ${Buffer.from(data).toString()}`))
    pty.pause()
    says('one')
    says('two')
    pty.resume()
    expect(heard).toEqual(['one', 'again one', 'two', 'again two'])
  })

  it('ends after its last word, also when that came before anybody listened', () => {
    const early = start()
    early.says('bye')
    early.ends()
    early.listen()
    expect(early.heard).toEqual(['bye', 'ended'])
    const paused = start()
    paused.listen()
    paused.pty.pause()
    paused.says('bye')
    paused.ends()
    expect(paused.heard).toEqual([])
    paused.pty.resume()
    expect(paused.heard).toEqual(['bye', 'ended'])
  })

  it('is lost at once when its process is, whatever was kept', () => {
    const { pty, heard, listen, says } = start()
    listen()
    pty.pause()
    says('half a screen')
    pty.lose()
    pty.resume()
    expect(heard).toEqual(['lost'])
  })
})
