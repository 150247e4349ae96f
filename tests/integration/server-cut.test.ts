import net from 'node:net'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { createHostLink, type LinkState } from '../../shared/node/host-client/reconnecting.ts'
import { createRandom } from '../support/random.ts'
import { startServer } from '../support/server.ts'
import { until } from '../support/until.ts'

const CUTS = 500
const open: { end(): Promise<void> }[] = []

afterEach(async () => {
  for (const one of open.splice(0)) await one.end()
})

/** A line between client and server that can be cut anywhere, also in the middle of a message. */
async function startLine(target: string, listenPath: string) {
  const pairs = new Set<[net.Socket, net.Socket]>()
  const server = net.createServer((near) => {
    const far = net.connect(target)
    const pair: [net.Socket, net.Socket] = [near, far]
    pairs.add(pair)
    for (const socket of pair) socket.on('error', () => undefined)
    near.pipe(far)
    far.pipe(near)
    near.on('close', () => {
      far.destroy()
      pairs.delete(pair)
    })
    far.on('close', () => near.destroy())
  })
  await new Promise<void>((resolve) => server.listen(listenPath, resolve))
  return {
    /** Destroys one side of every connection; the other learns of it as it would from a network. */
    cut(side: 0 | 1): number {
      const count = pairs.size
      for (const pair of pairs) pair[side].destroy()
      return count
    },
    end: () =>
      new Promise<void>((resolve) => {
        for (const pair of pairs) pair[0].destroy()
        server.close(() => resolve())
      }),
  }
}

it(`sees every event once and in order through ${CUTS} cut connections`, { timeout: 120_000 }, async () => {
  const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
  const random = createRandom(seed)
  const started = await startServer({ limits: { ackDelayMs: 1 } })
  const line = await startLine(started.socketPath, path.join(started.folder, 'line.sock'))
  open.push(line, started)
  const seen: number[] = []
  const states: LinkState['kind'][] = []
  const link = createHostLink({
    ...started.client,
    address: { kind: 'unix', path: path.join(started.folder, 'line.sock') },
    resumeFrom: 0,
    backoff: { firstMs: 1, maxMs: 10 },
    onEvents(events) {
      for (const event of events) seen.push(event.seq)
      link.ack(seen.at(-1) ?? 0)
    },
    onState: (state) => states.push(state.kind),
  })
  let cuts = 0
  while (cuts < CUTS) {
    // A few bytes or many, so that the cut falls into hello, replay, a frame, or an idle moment.
    const size = random.pick([10, 10, 2_000, 7_000])
    for (let turn = random.below(6); turn >= 0; turn -= 1) {
      started.store.append('e'.repeat(1 + random.below(size)), random.below(4))
      await new Promise((resolve) => setImmediate(resolve))
    }
    cuts += line.cut(random.below(2) === 0 ? 0 : 1)
    if (random.below(4) === 0)
      await until('a connection', () => link.state().kind === 'live', { intervalMs: 1 })
    else {
      const next = performance.now() + random.below(4)
      await until('the next moment to cut', () => performance.now() >= next, { intervalMs: 1 })
    }
  }
  started.store.append('last')
  const head = started.store.rows.length
  await until(`all ${head} events (seed ${seed})`, () => seen.at(-1) === head)
  expect(seen, `seed ${seed}`).toEqual(Array.from({ length: head }, (_, index) => index + 1))
  expect(states.filter((state) => state === 'live').length).toBeGreaterThan(50)
  await until('the cursor', () => started.store.cursorOf.get('tester') === head)
  await link.dispose()
})
