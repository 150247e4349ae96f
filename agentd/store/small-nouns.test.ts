import { createHash } from 'node:crypto'
import Database from 'better-sqlite3'
import path from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Rule } from '../../shared/protocol/records.ts'
import { reviewer, TASK_ID, user } from '../../tests/support/sample-facts.ts'
import { openSample } from '../../tests/support/sample-store.ts'
import { tempDirForTest } from '../../tests/support/temp.ts'
import type { Store } from './store.ts'

let store: Store
let file: string
beforeEach(async () => {
  file = path.join(await tempDirForTest(), 'agentd.db')
  store = openSample(file)
  onTestFinished(() => store.close())
})

describe('deliveries', () => {
  const add = (text: string) =>
    store.deliveries.add({
      taskId: TASK_ID,
      kind: 'prompt',
      ticketId: undefined,
      payload: { kind: 'prompt', text },
      createdAt: 5,
    })

  it('stay pending, oldest first, until they are delivered once', () => {
    const [first, second] = [add('one'), add('two')]
    expect(store.deliveries.pending()).toEqual([first, second])
    store.deliveries.attempted(first.id, 99, 'no answer')
    expect(store.deliveries.pending(TASK_ID)[0]).toMatchObject({
      attempts: 1,
      nextAttemptAt: 99,
      lastError: 'no answer',
    })
    store.deliveries.delivered(first.id, 100)
    expect(store.deliveries.pending()).toEqual([second])
    expect(store.deliveries.pending('other')).toEqual([])
  })

  it('are dropped with their task and never numbered twice', () => {
    const { id } = add('one')
    store.deliveries.drop(TASK_ID)
    expect(store.deliveries.pending()).toEqual([])
    const db = new Database(file)
    db.exec('DELETE FROM deliveries')
    db.close()
    expect(add('two').id).toBe(id + 1)
  })
})

describe('cursors', () => {
  it('only move forward, for all tasks and for one', () => {
    expect(store.cursors.get('cli')).toBeUndefined()
    store.cursors.ack('cli', 5, TASK_ID)
    store.cursors.ack('cli', 3, TASK_ID)
    expect(store.cursors.get('cli')).toEqual({ all: 0, tasks: new Map([[TASK_ID, 5]]) })
    store.cursors.ack('cli', 4)
    store.cursors.ack('cli', 2)
    expect(store.cursors.get('cli')).toEqual({ all: 4, tasks: new Map([[TASK_ID, 5]]) })
    store.cursors.ack('cli', 5)
    expect(store.cursors.get('cli')).toEqual({ all: 5, tasks: new Map() })
    expect(store.cursors.get('desk')).toBeUndefined()
  })
})

describe('requests', () => {
  it('keep the first answer until they are old', () => {
    store.requests.put('cli', 'r1', 10, '{"a":1}')
    store.requests.put('cli', 'r1', 11, '{"a":2}')
    store.requests.put('desk', 'r1', 20, '{"a":3}')
    expect([store.requests.get('cli', 'r1'), store.requests.get('desk', 'r1')]).toEqual([
      '{"a":1}',
      '{"a":3}',
    ])
    store.requests.prune(20)
    expect([store.requests.get('cli', 'r1'), store.requests.get('desk', 'r1')]).toEqual([
      undefined,
      '{"a":3}',
    ])
  })
})

describe('tokens', () => {
  it('are known by their hash alone, until they are removed', () => {
    const hash = createHash('sha256').update('secret').digest()
    const token = { id: 't1', name: 'desk', role: 'user' as const, hash, createdAt: 1, lastUsedAt: undefined }
    store.tokens.add(token)
    expect(store.tokens.byHash(hash)).toEqual(token)
    expect(store.tokens.byHash(Buffer.from('secret'))).toBeUndefined()
    store.tokens.used('t1', 9)
    expect(store.tokens.list()).toEqual([{ ...token, lastUsedAt: 9 }])
    store.tokens.remove('t1')
    expect(store.tokens.byHash(hash)).toBeUndefined()
  })
})

describe('rules', () => {
  const rule = (id: string, change: Partial<Rule> = {}): Rule => ({
    id,
    scope: 'task',
    target: TASK_ID,
    action: 'command',
    pattern: 'npm test *',
    createdAt: 1,
    createdBy: reviewer,
    hits: 0,
    ...change,
  })

  it('apply to their task or their repository and nowhere else', () => {
    store.rules.add(rule('a'))
    store.rules.add(rule('b', { scope: 'repo', target: '/srv/repo' }))
    store.rules.add(rule('c', { scope: 'repo', target: TASK_ID }))
    store.rules.add(rule('d', { target: '/srv/repo' }))
    expect(
      store.rules
        .for(TASK_ID, '/srv/repo')
        .map((one) => one.id)
        .sort(),
    ).toEqual(['a', 'b'])
    expect(store.rules.for('other', '/other')).toEqual([])
  })

  it('count their hits, are found by what they say, and cannot be saved twice', () => {
    store.rules.add(rule('a'))
    store.rules.hit('a', 7)
    store.rules.hit('a', 9)
    expect(store.rules.get('a')).toEqual(rule('a', { hits: 2, lastHitAt: 9 }))
    expect(store.rules.findSame('task', TASK_ID, 'command', 'npm test *')?.id).toBe('a')
    expect(() => store.rules.add(rule('z'))).toThrow(/UNIQUE/)
    store.rules.remove('a')
    expect([store.rules.get('a'), store.rules.list()]).toEqual([undefined, []])
  })
})

describe('the audit log', () => {
  beforeEach(() => {
    for (const [at, decision] of [
      [1, 'approve'],
      [2, 'deny'],
      [3, 'rule.create'],
    ] as const)
      store.audit.add({
        at,
        decision,
        by: user,
        text: 'npm test',
        ...(at === 3 ? {} : { taskId: TASK_ID, ticketId: 't' }),
      })
  })

  it('lists newest first, page by page, by task', () => {
    const [newest] = store.audit.list({ limit: 1 })
    expect(newest).toEqual({ id: 3, at: 3, decision: 'rule.create', by: user, text: 'npm test' })
    expect(store.audit.list({ limit: 9, beforeId: 3 }).map((entry) => entry.decision)).toEqual([
      'deny',
      'approve',
    ])
    expect(store.audit.list({ taskId: TASK_ID, limit: 1 }).map((entry) => entry.decision)).toEqual(['deny'])
  })

  it('refuses to be changed or shortened, whoever tries', () => {
    const db = new Database(file)
    expect(() => db.exec("UPDATE audit SET text = 'rm -rf /'")).toThrow(/only ever added to/)
    expect(() => db.exec('DELETE FROM audit WHERE id = 1')).toThrow(/only ever added to/)
    expect(() =>
      db.exec("REPLACE INTO audit (id, at, decision, by_actor, text) VALUES (1, 1, 'x', '{}', 'x')"),
    ).toThrow(/only ever added to/)
    db.close()
    expect(store.audit.list({ limit: 9 })).toHaveLength(3)
  })
})

describe('meta', () => {
  it('keeps single values', () => {
    expect(store.meta.get('x')).toBeUndefined()
    store.meta.set('x', '1')
    store.meta.set('x', '2')
    expect(store.meta.get('x')).toBe('2')
    expect(store.sizeBytes()).toBeGreaterThan(4_096)
  })
})
