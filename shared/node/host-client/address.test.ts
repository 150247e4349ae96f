import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatHostAddress, parseHostAddress } from './address.ts'

describe('parseHostAddress', () => {
  it.each([
    ['local', { kind: 'local' }],
    ['unix:///run/a b.sock', { kind: 'unix', path: '/run/a b.sock' }],
    ['ws://10.0.0.5:7433', { kind: 'ws', host: '10.0.0.5', port: 7433, secure: false }],
    ['ws://devbox', { kind: 'ws', host: 'devbox', port: 7433, secure: false }],
    ['wss://h.example:443/', { kind: 'ws', host: 'h.example', port: 443, secure: true }],
    ['ws://[fd7a::1]:80', { kind: 'ws', host: 'fd7a::1', port: 80, secure: false }],
    ['ssh://devbox', { kind: 'ssh', host: 'devbox' }],
    ['ssh://ann@devbox.example:2222', { kind: 'ssh', user: 'ann', host: 'devbox.example', port: 2222 }],
    ['ssh://[fe80::1]', { kind: 'ssh', host: 'fe80::1' }],
  ])('reads %s', (text, address) => {
    expect(parseHostAddress(text)).toEqual(address)
  })

  it.each([
    'ssh://-oProxyCommand=touch',
    'ssh://-oProxyCommand=touch@host',
    'ssh://user@-host',
    'ssh://host;reboot',
    'ssh://ho st',
    'ssh://host/path',
    'ssh://host:0',
    'ssh://host:65536',
    'ssh://user:password@host',
    'ws://host:port',
    'ws://user@host',
    'ws://[zz]:1',
    'unix://relative',
    'unix:///a\0b',
    'http://host',
    'host',
    '',
    `ssh://${'a'.repeat(300)}`,
    `unix:///${'a'.repeat(5_000)}`,
  ])('refuses %s', (text) => {
    expect(() => parseHostAddress(text)).toThrow(expect.objectContaining({ code: 'usage' }))
  })

  it('reads back what it wrote, and lets no name begin like an option', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 40 }),
        fc.constantFrom('ssh://', 'ws://', 'wss://', 'unix:///'),
        (rest, scheme) => {
          let address
          try {
            address = parseHostAddress(scheme + rest)
          } catch {
            return
          }
          expect(parseHostAddress(formatHostAddress(address))).toEqual(address)
          if ('host' in address) expect(address.host).not.toMatch(/^-|\s/)
          if (address.kind === 'ssh') expect(address.user ?? '').not.toMatch(/^-|\s/)
        },
      ),
    )
  })
})
