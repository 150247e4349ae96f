import { expect, it, onTestFinished } from 'vitest'
import { dispatchDemo, hostForTest, startHost } from '../../../tests/support/agentd.ts'
import { openDeskServices } from '../../../tests/support/desk-services.ts'
import { startSecondHost } from '../../../tests/support/second-host.ts'
import { startTcpProxy } from '../../../tests/support/tcp-proxy.ts'
import { until } from '../../../tests/support/until.ts'

const WAIT = { timeoutMs: 30_000 }

it('an answer that waits for a host is not given to another machine at the same address', async () => {
  const local = await startHost()
  onTestFinished(local.dispose, 120_000)
  const { repo } = await hostForTest()
  const meant = await startSecondHost()
  onTestFinished(meant.dispose, 120_000)
  const other = await startSecondHost()
  onTestFinished(other.dispose, 120_000)
  const way = await startTcpProxy(meant.proxy.port)
  onTestFinished(() => way.dispose())
  const desk = await openDeskServices(local.home)
  onTestFinished(desk.dispose, 60_000)
  await desk.call('desk.state', {})
  const address = `ws://127.0.0.1:${way.port}`
  await desk.call('host.add', { name: 'box', address, token: meant.token })
  await desk.untilPaired('box')
  const { id } = await dispatchDemo(meant.connection, repo.path, 'demo: ask-permission npm test')
  const row = await until(
    'the request',
    async () => (await desk.call('inbox.window', {})).rows.find(({ taskId }) => taskId === id),
    WAIT,
  )
  const at = { host: 'box', ticketId: row.ticketId ?? '' }
  const stateOf = async () =>
    (await desk.call('host.list', {})).hosts.find(({ name }) => name === 'box')?.state.kind

  way.cut()
  await until('it to be away', async () => (await stateOf()) === 'offline', WAIT)
  const { ticket } = await desk.call('ticket.get', at)
  const answer = { ...at, answer: { kind: 'approve' as const }, seenText: ticket.ask.text }
  expect(await desk.call('ticket.answer', answer)).toMatchObject({ kind: 'queued' })

  // Another machine has the address now, and even lets this desk in.
  way.leadTo(other.proxy.port)
  way.mend()
  await desk.call('host.token', { host: 'box', token: other.token })
  await until('it to be refused', async () => (await stateOf()) === 'refused', WAIT)
  expect((await desk.call('outbox.list', {})).entries).toMatchObject([
    { ticketId: at.ticketId, state: 'queued' },
  ])
  const { entries } = await other.connection.call('audit.list', { limit: 100 })
  expect(entries.filter(({ decision }) => decision === 'approve')).toEqual([])

  // The right one is back: the answer arrives there, once.
  way.cut()
  way.leadTo(meant.proxy.port)
  way.mend()
  await desk.call('host.token', { host: 'box', token: meant.token })
  await until(
    'the answer to arrive',
    async () => (await desk.call('outbox.list', {})).entries.length === 0,
    WAIT,
  )
  const audit = await meant.connection.call('audit.list', { limit: 100 })
  expect(audit.entries.filter(({ decision }) => decision === 'approve')).toHaveLength(1)
})
