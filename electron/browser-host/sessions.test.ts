import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDirForTest } from '../../tests/support/temp.ts'
import { createSessions } from './sessions.ts'
import { createSignInTickets } from './sign-in-tickets.ts'

const DAY_MS = 24 * 3_600_000

describe('a ticket', () => {
  it('is good once and for two minutes', () => {
    let at = 0
    const tickets = createSignInTickets({ now: () => at })
    const [first, second] = [tickets.create(), tickets.create()]
    at = 119_999
    expect(tickets.redeem(first)).toBe(true)
    expect(tickets.redeem(first)).toBe(false)
    at = 120_000
    expect(tickets.redeem(second)).toBe(false)
    expect(tickets.redeem('')).toBe(false)
  })
})

describe('sessions', () => {
  it('are found again by a later process, by both secrets together', async () => {
    const deskFolder = await tempDirForTest()
    const sessions = createSessions({ deskFolder, now: Date.now })
    const [one, two] = [sessions.create('Browser'), sessions.create('Browser')]
    const later = createSessions({ deskFolder, now: Date.now })
    expect(later.cookieName).toBe(sessions.cookieName)
    expect(later.find(one.secret, one.key)).toMatchObject({ agent: 'Browser' })
    expect(later.find(one.secret, two.key)).toBeUndefined()
    expect(later.find(one.key, one.secret)).toBeUndefined()
  })

  it('end after 30 days without use, and live on when they are used', async () => {
    const deskFolder = await tempDirForTest()
    let at = 0
    const sessions = createSessions({ deskFolder, now: () => at })
    const [used, idle] = [sessions.create('a'), sessions.create('b')]
    at = 20 * DAY_MS
    sessions.seen(sessions.find(used.secret, used.key)?.id ?? '')
    at = 40 * DAY_MS
    expect(sessions.find(used.secret, used.key)).toBeDefined()
    expect(sessions.find(idle.secret, idle.key)).toBeUndefined()
    expect(createSessions({ deskFolder, now: () => at }).list()).toHaveLength(1)
  })

  it('are replaced by the same browser only while no page of them is connected', async () => {
    const inUse = new Set<string>()
    const isInUse = (id: string) => inUse.has(id)
    const sessions = createSessions({ deskFolder: await tempDirForTest(), now: Date.now, isInUse })
    const [other, first] = [sessions.create('other'), sessions.create('first')]
    const idOf = ({ secret, key }: typeof first) => sessions.find(secret, key)?.id ?? 'none'
    inUse.add(idOf(first))
    const second = sessions.create('second', first.secret)
    expect(sessions.list().map(({ agent }) => agent)).toEqual(['other', 'first', 'second'])
    sessions.create('third', second.secret)
    expect(sessions.list().map(({ agent }) => agent)).toEqual(['other', 'first', 'third'])
    expect(idOf(other)).not.toBe('none')
    expect(sessions.revoke(idOf(first))).toBe(true)
  })

  it('are revoked for good', async () => {
    const deskFolder = await tempDirForTest()
    const sessions = createSessions({ deskFolder, now: Date.now })
    const { secret, key } = sessions.create('a')
    const id = sessions.find(secret, key)?.id ?? ''
    expect(sessions.revoke(id)).toBe(true)
    expect(sessions.revoke(id)).toBe(false)
    expect(createSessions({ deskFolder, now: Date.now }).find(secret, key)).toBeUndefined()
  })

  it('are good until the desk ends when the disk does not take them, but cannot seem revoked', async () => {
    const deskFolder = await tempDirForTest()
    mkdirSync(path.join(deskFolder, 'sessions.json'))
    let at = 0
    const sessions = createSessions({ deskFolder, now: () => at })
    const { secret, key } = sessions.create('a')
    const id = sessions.find(secret, key)?.id ?? ''
    at = DAY_MS
    sessions.seen(id)
    expect(sessions.list()).toMatchObject([{ id, lastSeenAt: at }])
    expect(() => sessions.revoke(id)).toThrow()
    sessions.dispose()
    expect(readdirSync(deskFolder)).toEqual(['sessions.json'])
  })

  it('are forgotten when their file is damaged, and never more than fifty', async () => {
    const deskFolder = await tempDirForTest()
    for (let count = 0; count < 60; count += 1)
      createSessions({ deskFolder, now: () => count }).create(`${count}`)
    const list = createSessions({ deskFolder, now: () => 60 }).list()
    expect(list).toHaveLength(50)
    expect(list[0]?.agent).toBe('10')
    const file = path.join(deskFolder, 'sessions.json')
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, 100))
    expect(createSessions({ deskFolder, now: () => 60 }).list()).toEqual([])
  })
})
