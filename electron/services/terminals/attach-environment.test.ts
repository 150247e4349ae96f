import { describe, expect, it } from 'vitest'
import { attachEnvironment } from './attach-environment.ts'

describe('the environment of an attachment', () => {
  it('has what tmux and ssh need and nothing else of the person', () => {
    const person = {
      HOME: '/home/ann',
      PATH: '/bin',
      SSH_AUTH_SOCK: '/run/agent',
      LANG: 'de_DE.UTF-8',
      AWS_SECRET_ACCESS_KEY: 's3cret',
      HANDOFF_TOKEN: 's3cret',
      TMUX: '/tmp/tmux-0/default,1,0',
      TERM: 'dumb',
    }
    expect(attachEnvironment(person, undefined)).toEqual({
      HOME: '/home/ann',
      PATH: '/bin',
      SSH_AUTH_SOCK: '/run/agent',
      LANG: 'de_DE.UTF-8',
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
    })
  })

  it.each([
    [{}],
    [{ LANG: 'C' }],
    [{ LANG: 'de_DE.UTF-8', LC_ALL: 'C' }],
    [{ LANG: 'de_DE.UTF-8', LC_CTYPE: 'POSIX' }],
  ])('speaks UTF-8 where the person’s locale %o does not', (locale) => {
    const { LC_ALL, LC_CTYPE } = attachEnvironment(locale, undefined)
    expect(LC_ALL).toBeUndefined()
    expect(LC_CTYPE).toMatch(/UTF-8$/)
  })

  it('leads to the tmux server of the task', () => {
    expect(attachEnvironment({ TMUX_TMPDIR: '/mine' }, '/theirs')).toMatchObject({ TMUX_TMPDIR: '/theirs' })
  })
})
