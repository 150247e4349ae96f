import { expect, it } from 'vitest'
import { createMemoryStore } from '../../tests/support/server.ts'
import { createTokens } from './tokens.ts'

function setUp() {
  const clock = { ms: 1_000_000 }
  const closed: string[] = []
  const store = createMemoryStore()
  const tokens = createTokens({
    store: store.tokens,
    closeConnections: (id) => closed.push(id),
    now: () => clock.ms,
  })
  return { clock, closed, store, tokens }
}

it('keeps no token, only what proves it', () => {
  const { store, tokens } = setUp()
  const { token, info } = tokens.create({ name: 'desk', role: 'user' })
  expect(token).toMatch(/^hnd_[A-Za-z0-9_-]{43}$/)
  expect(tokens.verify(token)?.id).toBe(info.id)
  const kept = JSON.stringify(store.tokens.list())
  expect(kept).not.toContain(token)
  expect(JSON.stringify(tokens.list())).not.toMatch(/hash/)
})

it.each(['', 'hnd_', 'x', 'hnd_'.padEnd(47, 'A')])('knows nobody by %j', (token) => {
  const { tokens } = setUp()
  tokens.create({ name: 'desk', role: 'user' })
  expect(tokens.verify(token)).toBeUndefined()
})

it('revokes by id or by a name that one has, and closes what used it', () => {
  const { closed, tokens } = setUp()
  const first = tokens.create({ name: 'same', role: 'observer' })
  const second = tokens.create({ name: 'same', role: 'observer' })
  expect(() => tokens.revoke('same')).toThrow(expect.objectContaining({ code: 'token_not_found' }))
  expect(tokens.revoke(first.info.id)).toMatchObject({ closedConnections: 1 })
  expect(tokens.verify(first.token)).toBeUndefined()
  tokens.revoke('same')
  expect(closed).toEqual([first.info.id, second.info.id])
  expect(() => tokens.revoke('same')).toThrow(expect.objectContaining({ code: 'token_not_found' }))
})

it('notes when a token was used, once a minute', () => {
  const { clock, tokens } = setUp()
  const { token } = tokens.create({ name: 'desk', role: 'user' })
  const use = () => {
    const found = tokens.verify(token)
    if (found) tokens.used(found)
    return tokens.list()[0]?.lastUsedAt
  }
  expect(use()).toBe(1_000_000)
  clock.ms += 59_000
  expect(use()).toBe(1_000_000)
  clock.ms += 1_000
  expect(use()).toBe(1_060_000)
})
