import { describe, expect, it } from 'vitest'
import { AppError } from '../../../shared/errors.ts'
import type { IpcHandlers } from '../../../shared/ipc.ts'
import { createCallDispatcher } from './dispatch-call.ts'

const CALLER = { windowId: 'w1' }

function dispatcher(handlers: Partial<IpcHandlers>) {
  const logged: { fields: object; sentence: string }[] = []
  const put = (fields: object, sentence: string) => void logged.push({ fields, sentence })
  const dispatch = createCallDispatcher(handlers as IpcHandlers, { warn: put, error: put })
  return { call: (request: unknown) => dispatch(request, CALLER), logged }
}

describe('a call of a window', () => {
  it('gets what its handler answers, with defaults filled in', async () => {
    const seen: unknown[] = []
    const { call } = dispatcher({
      'repo.recent': () => ({ paths: ['/a'] }),
      'task.window': (input, caller) => {
        seen.push(input, caller)
        return { total: 0, rows: [] }
      },
    })
    expect(await call({ name: 'repo.recent', input: {} })).toEqual({ ok: true, value: { paths: ['/a'] } })
    await call({ name: 'task.window', input: {} })
    expect(seen).toEqual([{ offset: 0, limit: 100 }, CALLER])
  })

  it.each([
    [undefined, 'bad_request'],
    ['repo.recent', 'bad_request'],
    [{ name: 'x'.repeat(100), input: {} }, 'bad_request'],
    [{ name: 'no.such', input: {} }, 'unknown_call'],
    [{ name: 'toString', input: {} }, 'unknown_call'],
    [{ name: '__proto__', input: {} }, 'unknown_call'],
    [{ name: 'constructor', input: {} }, 'unknown_call'],
    [{ name: 'job.cancel', input: { jobId: '../x' } }, 'bad_request'],
  ])('that is %j is refused', async (request, code) => {
    const { call } = dispatcher({})
    expect(await call(request)).toMatchObject({ ok: false, error: { code } })
  })

  it('has what is wrong with its input in the log, and its values nowhere', async () => {
    const { call, logged } = dispatcher({})
    const answer = await call({ name: 'host.token', input: { host: 'local', token: 'hunter2'.repeat(50) } })
    expect(answer).toMatchObject({ ok: false, error: { code: 'bad_request' } })
    expect(JSON.stringify(logged)).toContain('token')
    expect(JSON.stringify([logged, answer])).not.toContain('hunter2')
  })

  it('is told what a person can do something about, and of a bug only that there is one', async () => {
    const { call, logged } = dispatcher({
      'demo.start': () => {
        throw new AppError({ code: 'host_unreachable', message: 'It is away.', hint: 'Wait.' })
      },
      'repo.recent': () => Promise.reject(new Error('a secret path')),
      'host.list': () => ({ hosts: 'none' }) as never,
    })
    expect(await call({ name: 'demo.start', input: {} })).toEqual({
      ok: false,
      error: { code: 'host_unreachable', message: 'It is away.', hint: 'Wait.' },
    })
    expect(logged).toEqual([])
    const full = await dispatcher({
      'repo.recent': () => Promise.reject(Object.assign(new Error('ENOSPC: /a/path'), { code: 'ENOSPC' })),
    }).call({ name: 'repo.recent', input: {} })
    expect(full).toMatchObject({ ok: false, error: { code: 'disk_full' } })
    const bug = await call({ name: 'repo.recent', input: {} })
    expect(bug).toMatchObject({ ok: false, error: { code: 'internal' } })
    expect(JSON.stringify(bug)).not.toContain('secret')
    expect(await call({ name: 'host.list', input: {} })).toMatchObject({
      ok: false,
      error: { code: 'internal' },
    })
    expect(logged).toHaveLength(2)
  })
})
