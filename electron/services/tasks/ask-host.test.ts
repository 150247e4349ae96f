import { describe, expect, it } from 'vitest'
import { createPlayedHosts } from '../../../tests/support/desk-hosts.ts'
import { until } from '../../../tests/support/until.ts'
import { AppError } from '../../../shared/errors.ts'
import type { CallOptions } from '../../../shared/node/host-client/pending-calls.ts'
import { callAgain } from './ask-host.ts'

/** Says nothing until it is not waited for any more, as a real connection to a deaf host does. */
function silence({ signal, timeoutMs }: CallOptions): Promise<never> {
  return new Promise((_, reject) => {
    const end = (code: 'cancelled' | 'timeout') => reject(new AppError({ code, message: code }))
    signal?.addEventListener('abort', () => end('cancelled'))
    if (timeoutMs !== undefined) setTimeout(() => end('timeout'), timeoutMs)
  })
}

function deaf() {
  return createPlayedHosts({
    box: {
      answers: {
        'rule.list': (_, options) => silence(options),
        'task.cancel': (_, options) => silence(options),
      },
    },
  })
}

describe('a call of a host that answers nothing', () => {
  it('that only reads ends with a clear error in its time', async () => {
    const { hosts, asked } = deaf()
    const call = callAgain({ hosts, host: 'box', name: 'rule.list', input: {}, timeoutMs: 30 })
    await expect(call).rejects.toMatchObject({ code: 'timeout', message: 'box does not answer.' })
    expect(asked).toHaveLength(1)
  })

  it('that only reads takes no longer in all, however often the connection breaks', async () => {
    const { hosts } = createPlayedHosts({
      box: {
        answers: {
          'rule.list': () => Promise.reject(new AppError({ code: 'connection_lost', message: 'lost' })),
        },
      },
    })
    const waited: number[] = []
    const whenLive = (_host: string, withinMs: number) => {
      waited.push(withinMs)
      return Promise.resolve()
    }
    const call = callAgain({
      hosts: { ...hosts, whenLive },
      host: 'box',
      name: 'rule.list',
      input: {},
      timeoutMs: 200,
    })
    await expect(call).rejects.toMatchObject({ code: 'connection_lost' })
    expect(Math.max(...waited)).toBeLessThanOrEqual(200)
  })

  it('is over at once when nobody waits for it any more', async () => {
    const { hosts, asked } = deaf()
    const controller = new AbortController()
    const input = { requestId: 'request-1', task: 't' }
    const call = callAgain({ hosts, host: 'box', name: 'task.cancel', input, signal: controller.signal })
    call.catch(() => undefined)
    await until('it to be asked', () => asked.length === 1)
    controller.abort()
    // It was a change, and the host may have it.
    await expect(call).rejects.toMatchObject({
      code: 'cancelled',
      hint: expect.stringContaining('may have reached box'),
    })
  })

  it('is over at once while it waits for the next connection', async () => {
    const played = createPlayedHosts({
      box: { answers: { 'rule.list': () => Promise.reject(played.lost()) } },
    })
    let isWaiting = false
    const whenLive = () => {
      isWaiting = true
      return new Promise<void>(() => undefined)
    }
    const controller = new AbortController()
    const { signal } = controller
    const hosts = { ...played.hosts, whenLive }
    const call = callAgain({ hosts, host: 'box', name: 'rule.list', input: {}, signal })
    call.catch(() => undefined)
    await until('it to wait', () => isWaiting)
    controller.abort()
    await expect(call).rejects.toMatchObject({ code: 'cancelled' })
  })
})
