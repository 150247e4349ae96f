import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clientId } from './client-id.ts'
import { lastWords } from './start-agentd.ts'
import { createHostStore } from './host-store.ts'

let home = ''
beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'handoff-stores-'))))
afterEach(() => rmSync(home, { recursive: true, force: true }))

describe('the hosts', () => {
  it('are kept with their tokens for this user only, and forgotten whole', () => {
    const store = createHostStore(home)
    store.add({ name: 'lab', address: 'ws://100.64.0.7:7433', token: 'secret-token' })
    expect(createHostStore(home).get('lab').address).toBe('ws://100.64.0.7:7433')
    expect(store.token('lab')).toBe('secret-token')
    for (const file of ['hosts.json', 'host-tokens/lab'])
      expect(statSync(join(home, file)).mode & 0o777).toBe(0o600)
    store.remove('lab')
    expect(existsSync(join(home, 'host-tokens/lab'))).toBe(false)
    expect(() => store.get('lab')).toThrow(/no host called lab/)
  })
  it('have one name each, and local is taken', () => {
    const store = createHostStore(home)
    store.add({ name: 'lab', address: 'ssh://lab' })
    expect(() => store.add({ name: 'lab', address: 'ssh://other' })).toThrow(/already/)
    expect(() => store.add({ name: 'local', address: 'ssh://other' })).toThrow(/already/)
  })
  it('refuse what would make their file unreadable, and stay', () => {
    const store = createHostStore(home)
    const sshConfig = `/${'x'.repeat(4_096)}`
    expect(() => store.add({ name: 'far', address: 'ssh://far', token: 't', sshConfig })).toThrow(/4096/)
    expect([store.list(), store.token('far')]).toEqual([[], undefined])
    const hosts = Array.from({ length: 200 }, (_, n) => ({ name: `h${n}`, address: 'ssh://h', addedAt: 1 }))
    writeFileSync(join(home, 'hosts.json'), JSON.stringify({ v: 1, hosts }))
    expect(() => store.add({ name: 'more', address: 'ssh://more' })).toThrow(/200 hosts/)
    expect(store.list()).toHaveLength(200)
  })
  it('say so when their file is damaged, and leave it alone', () => {
    writeFileSync(join(home, 'hosts.json'), '{"v":1,')
    expect(() => createHostStore(home).list()).toThrow(/cannot be read/)
  })
})

describe('clientId', () => {
  it('stays the same for a home', () => expect(clientId(home, {})).toBe(clientId(home, {})))
  it('is overridden by HANDOFF_CLIENT, which must be a usable name', () => {
    expect(clientId(home, { HANDOFF_CLIENT: 'night-shift' })).toBe('night-shift')
    expect(() => clientId(home, { HANDOFF_CLIENT: '../x' })).toThrow(/HANDOFF_CLIENT/)
  })
})

describe('lastWords', () => {
  it('finds the sentence of the last error in JSON lines', () => {
    const log = [
      '{"level":30,"msg":"up"}',
      '{"level":60,"msg":"ended","error":{"message":"The home is unsafe.","hint":"chmod"}}',
      '{"level":30,"msg":"bye"}',
    ].join('\n')
    expect(lastWords(log)).toEqual({ message: 'The home is unsafe.', hint: 'chmod' })
  })
  it('takes plain text as it is', () =>
    expect(lastWords('agentd: no room left\n')).toEqual({ message: 'no room left' }))
  it('has none for an empty log', () => expect(lastWords('\n')).toBeUndefined())
})
