import { expect, it } from 'vitest'
import { isPrivateAddress, parseListenAddress, resolveListenAddress } from './listen-address.ts'

it.each([
  ['127.0.0.1:0', { host: '127.0.0.1', port: 0 }],
  ['localhost:7433', { host: 'localhost', port: 7433 }],
  ['[fd7a:115c::1]:80', { host: 'fd7a:115c::1', port: 80 }],
])('reads %s', (text, address) => {
  expect(parseListenAddress(text)).toEqual(address)
})

it.each(['7433', ':7433', 'host', 'host:', 'host:99999', '::1:80', 'a b:1', '[::1]', ''])(
  'refuses %j',
  (text) => {
    expect(() => parseListenAddress(text)).toThrow(expect.objectContaining({ code: 'usage' }))
  },
)

it('knows which addresses strangers cannot reach', () => {
  const inside = [
    '127.0.0.1',
    '127.9.9.9',
    '::1',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '100.127.255.255',
    'fd7a:115c:a1e0::1',
    'fe80::1%eth0',
    '::ffff:10.0.0.1',
  ]
  const outside = [
    '0.0.0.0',
    '::',
    '8.8.8.8',
    '172.15.0.1',
    '172.32.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '192.169.0.1',
    '2001:db8::1',
    'fc00::1',
    '::ffff:8.8.8.8',
    'not an address',
  ]
  expect(inside.filter((address) => !isPrivateAddress(address))).toEqual([])
  expect(outside.filter(isPrivateAddress)).toEqual([])
})

it('resolves a name before it judges it, and binds what it judged', async () => {
  const { host } = await resolveListenAddress({ host: 'localhost', port: 1 }, { yesPublic: false })
  expect(['127.0.0.1', '::1']).toContain(host)
  await expect(
    resolveListenAddress({ host: 'no-such-name.invalid', port: 1 }, { yesPublic: true }),
  ).rejects.toMatchObject({ code: 'usage' })
})
