import { afterEach, expect, it } from 'vitest'
import {
  createHostLink,
  type HostLink,
  type LinkOptions,
  type LinkState,
} from '../../shared/node/host-client/reconnecting.ts'
import { serversForTest } from '../support/servers-for-test.ts'
import { until } from '../support/until.ts'

const { start } = serversForTest()
const links: HostLink[] = []

afterEach(async () => {
  for (const link of links.splice(0)) await link.dispose()
})

function connect(options: LinkOptions) {
  const states: LinkState[] = []
  const link = createHostLink({ ...options, onState: (state) => states.push(state) })
  links.push(link)
  return { link, states, kinds: () => states.map((state) => state.kind) }
}

const quick = { firstMs: 1, maxMs: 20 }

it('comes back when the host does, and goes on where it was', async () => {
  const first = await start()
  first.store.append('x', 3)
  const seen: number[] = []
  const { link, kinds } = connect({
    ...first.client,
    backoff: quick,
    resumeFrom: 1,
    onEvents: (events) => void seen.push(...events.map((event) => event.seq)),
  })
  await until('two events', () => seen.length === 2)
  await first.server.stop()
  await until('it to notice', () => link.state().kind === 'offline')
  await expect(link.call('task.find', { ref: 'ab' })).rejects.toMatchObject({ code: 'connection_lost' })
  expect(link.state()).toMatchObject({ error: { code: 'host_unreachable' } })
  const again = await start({ store: first.store, socketPath: first.socketPath, hostId: first.hostId })
  await until('it to be back', () => link.state().kind === 'live')
  again.store.append('y', 1)
  await until('the fourth', () => seen.length === 3)
  expect(seen).toEqual([2, 3, 4])
  expect(kinds()[0]).toBe('connecting')
})

it('does not knock again with a token that was refused before it is told to', async () => {
  const { client, tokens, logged } = await start()
  const { token, info } = tokens.create({ name: 'phone', role: 'observer' })
  const { link, kinds } = connect({ ...client, token, backoff: quick })
  await until('it to be live', () => link.state().kind === 'live')
  tokens.revoke(info.id)
  await until('the refusal', () => link.state().kind === 'refused')
  const later = performance.now() + 100
  await until('the time of some retries to pass', () => performance.now() > later)
  const refusals = () => logged.filter((line) => line.message.includes('without a valid token')).length
  expect(refusals()).toBe(0)
  link.wake()
  await until('one more try', () => refusals() === 1)
  await until('the refusal', () => link.state().kind === 'refused')
  expect(kinds()).toEqual(['connecting', 'live', 'refused', 'connecting', 'refused'])
})

it('outlives a bug of its own side, and tells it', async () => {
  const { client } = await start()
  const bugs: unknown[] = []
  const bug = new TypeError('not thought of')
  let tries = 0
  const { link, states } = connect({
    ...client,
    backoff: quick,
    onBug: (error) => bugs.push(error),
    beforeConnect: () => ((tries += 1) === 1 ? Promise.reject(bug) : Promise.resolve()),
  })
  await until('it to be connected', () => link.state().kind === 'live')
  expect(bugs).toEqual([bug])
  expect(states).toContainEqual(
    expect.objectContaining({ kind: 'offline', error: expect.objectContaining({ code: 'internal' }) }),
  )
})

it('tries at once when it is woken', async () => {
  const { client } = await start()
  const path = `${client.address.path}.later`
  const { link } = connect({
    ...client,
    address: { kind: 'unix', path },
    backoff: { firstMs: 3_600_000, maxMs: 3_600_000 },
  })
  await until('it to be offline', () => link.state().kind === 'offline')
  await start({ socketPath: path })
  link.wake()
  await until('it to be live', () => link.state().kind === 'live')
})

it('refuses another host at the same address', async () => {
  const { client } = await start()
  const { link } = connect({ ...client, hostId: '00000000-0000-4000-8000-000000000000', backoff: quick })
  await until('the refusal', () => link.state().kind === 'refused')
  expect(link.state()).toMatchObject({ error: { code: 'host_unknown' } })
})

it('tells the host what was kept while it was away', async () => {
  const first = await start({ limits: { ackDelayMs: 1 } })
  first.store.append('x', 3)
  let newest = 0
  const { link } = connect({
    ...first.client,
    backoff: quick,
    resumeFrom: 0,
    onEvents: (events) => (newest = events.at(-1)?.seq ?? 0),
  })
  await until('the events', () => newest === 3)
  await first.server.stop()
  await until('it to notice', () => link.state().kind === 'offline')
  link.ack(3)
  await start({ store: first.store, socketPath: first.socketPath, hostId: first.hostId })
  await until('the cursor', () => first.store.cursorOf.get('tester') === 3)
})

it('gets a snapshot of a host that went back and has given the same numbers out again', async () => {
  const first = await start()
  first.store.append('x', 5)
  const heard: unknown[] = []
  const { link } = connect({
    ...first.client,
    backoff: quick,
    resumeFrom: 0,
    onEvents: (events) => void heard.push(...events.map(({ seq }) => seq)),
    onSnapshot: ({ headSeq }) => void heard.push({ headSeq }),
  })
  await until('the events', () => heard.length === 5)
  link.ack(5)
  await first.server.stop()
  await until('it to notice', () => link.state().kind === 'offline')
  // Other events under the same numbers, and more of them.
  const second = await start({ socketPath: first.socketPath, hostId: first.hostId })
  second.store.append('y', 8)
  await until('the snapshot', () => heard.length > 5)
  expect(heard.slice(5)).toEqual([{ headSeq: 8 }])
  // And goes on from there when nothing has happened to the host.
  await second.server.stop()
  await until('it to notice', () => link.state().kind === 'offline')
  const third = await start({ store: second.store, socketPath: first.socketPath, hostId: first.hostId })
  await until('it to be back', () => link.state().kind === 'live')
  third.store.append('z', 1)
  await until('the next event', () => heard.length > 6)
  expect(heard.slice(6)).toEqual([9])
})
