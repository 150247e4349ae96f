import { describe, expect, it } from 'vitest'
import { localAttachArgv, sshAttachArgv } from './attach-argv.ts'

const local = (version?: string) =>
  localAttachArgv({ session: 'handoff-1', socketDir: undefined, version }).join(' ')

describe('attaching to the screen of a task', () => {
  it.each(['3.2', '3.2a', '3.3a', '3.10', '4.0', 'next-3.5', 'openbsd-7.6'])(
    'asks tmux %s for all colours',
    (version) => {
      expect(local(version)).toMatch(/tmux -u -T RGB,\S+ attach-session/)
    },
  )

  it.each([undefined, '', '2.9', '3.0a', '3.1c', 'master'])(
    'asks tmux %s for nothing it may not know, since it would not attach then',
    (version) => {
      expect(local(version)).toContain('tmux -u attach-session')
    },
  )

  it('asks the same of a tmux over ssh', () => {
    const argv = sshAttachArgv({
      address: { kind: 'ssh', host: 'box' },
      session: 'handoff-1',
      socketDir: undefined,
      version: '3.4',
    })
    expect(argv.at(-1)).toMatch(/^tmux -u -T RGB,\S+ attach-session -t '=handoff-1'$/)
  })
})
