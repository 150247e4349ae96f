import { describe, expect, it } from 'vitest'
import { attachCommand } from '../commands/attach.ts'
import { checkAnswerOptions } from './answer-options.ts'
import { notificationCommand } from './notify.ts'
import { quoteArgument } from './task-out.ts'

it('quotes arguments so that a shell reads them back', () => {
  expect(quoteArgument('3fa2:per_1')).toBe('3fa2:per_1')
  expect(quoteArgument("it's $HOME")).toBe(`'it'\\''s $HOME'`)
  expect(quoteArgument('')).toBe("''")
})

describe('checkAnswerOptions', () => {
  it.each([
    [{ approve: true, deny: true } as const, /two answers/],
    [{ remember: 'task' } as const, /belongs to --approve/],
    [{ approve: true, remember: 'all' } as const, /task or repo/],
    [{ approve: true, message: 'x' } as const, /belong to --deny/],
    [{ answer: ' ' } as const, /empty/],
  ])('refuses %j', (options, why) => expect(() => checkAnswerOptions(options)).toThrow(why))
  it('takes one answer', () =>
    expect(() => checkAnswerOptions({ deny: true, stop: true, message: 'no' })).not.toThrow())
})

describe('notificationCommand', () => {
  const texts = { title: '-title "x"', text: '<b>rm</b> & "; quit' }
  it('hands texts to osascript as arguments, never inside the script', () => {
    const argv = notificationCommand('darwin', texts) ?? []
    expect(argv.slice(-2)).toEqual(['<b>rm</b> & "; quit', '-title "x"'])
    expect(argv.slice(0, -2).join(' ')).not.toContain('rm')
  })
  it('escapes markup for notify-send and ends its options', () => {
    expect(notificationCommand('linux', texts)?.slice(-3)).toEqual([
      '--',
      '-title "x"',
      '&lt;b&gt;rm&lt;/b&gt; &amp; "; quit',
    ])
  })
})

describe('attachCommand', () => {
  const session = 'handoff-3fa2c1d0'
  const base = { session, socketDir: undefined, insideTmux: false }
  it('switches the client when it runs inside of tmux', () => {
    expect(attachCommand({ ...base, address: { kind: 'local' }, insideTmux: true })).toEqual([
      'tmux',
      'switch-client',
      '-t',
      `=${session}`,
    ])
    expect(attachCommand({ ...base, address: { kind: 'local' } })).toEqual([
      'tmux',
      'attach-session',
      '-t',
      `=${session}`,
    ])
  })
  it('goes over ssh with a terminal, names the session exactly, and quotes it for any shell', () => {
    const argv = attachCommand({ ...base, address: { kind: 'ssh', host: 'devbox', user: 'dev', port: 2222 } })
    expect(argv).toEqual([
      'ssh',
      '-t',
      '-p',
      '2222',
      '--',
      'dev@devbox',
      `tmux -u attach-session -t '=${session}'`,
    ])
  })
  it('says how when the host is not reached over ssh', () => {
    expect(() =>
      attachCommand({ ...base, address: { kind: 'ws', host: '10.0.0.1', port: 1, secure: false } }),
    ).toThrow(/not reached over ssh/)
  })
})
