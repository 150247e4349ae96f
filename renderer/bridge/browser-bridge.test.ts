import { expect, it } from 'vitest'
import { until } from '../../tests/support/until.ts'
import { createBrowserBridge, type BrowserLink } from './browser-bridge.ts'

/** A page in a browser whose server the test plays. */
function page({ key }: { key?: string }) {
  const kept = new Map(key === undefined ? [] : [['handoff.key', key]])
  const sockets: { readyState: number; close(code: number): void; welcome(): void }[] = []
  const asked: ((status: number) => void)[] = []
  class Socket {
    static OPEN = 1
    readyState = 0
    onopen?: () => void
    onclose?: (event: { code: number }) => void
    constructor() {
      sockets.push(this)
    }
    send(): void {
      // Nobody is there.
    }
    welcome(): void {
      this.readyState = 1
      this.onopen?.()
    }
    close(code: number): void {
      this.readyState = 3
      this.onclose?.({ code })
    }
  }
  Object.assign(globalThis, {
    WebSocket: Socket,
    location: { hash: '', origin: 'http://127.0.0.1:1', pathname: '/' },
    localStorage: { getItem: (name: string) => kept.get(name) ?? null },
    window: { setTimeout },
    fetch: () => new Promise((answer) => asked.push((status) => answer({ status }))),
  })
  const links: BrowserLink[] = []
  const bridge = createBrowserBridge((link) => links.push(link))
  return { bridge, links, sockets, asked }
}

it('opens one socket, however often somebody tries again while it signs in', async () => {
  const { bridge, links, sockets, asked } = page({ key: 'k' })
  expect(sockets).toHaveLength(1)
  sockets[0]?.close(1006)
  await until('it to ask who it is', () => asked.length > 0)
  bridge.retry()
  bridge.retry()
  for (const answer of asked) answer(200)
  await until('another socket', () => sockets.length > 1)
  sockets[1]?.welcome()
  await until('it to be open', () => links.at(-1) === 'open')
  expect(sockets).toHaveLength(2)
  // And again when that is lost.
  sockets[1]?.close(1006)
  bridge.retry()
  expect(sockets).toHaveLength(3)
})
