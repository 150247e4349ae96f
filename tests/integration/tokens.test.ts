import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ConnectOptions, HostConnection } from '../../shared/node/host-client/connection.ts'
import { parseHostAddress } from '../../shared/node/host-client/address.ts'
import { dispatchDemo, requestId, startHost, ticketOf, type TestHost } from '../support/agentd.ts'
import { createRepository } from '../support/repository.ts'
import { requires } from '../support/requirements.ts'
import { until } from '../support/until.ts'

const needs = requires('tmux', 'git')

describe.skipIf(needs.skip)(needs.title('clients that come with a token'), () => {
  let host: TestHost
  let repo: Awaited<ReturnType<typeof createRepository>>
  let local: HostConnection
  let address: ConnectOptions['address']
  const open: HostConnection[] = []

  beforeAll(async () => {
    host = await startHost({ args: ['--listen', '127.0.0.1:0'] })
    repo = await createRepository()
    local = await host.connect()
    const { listening } = await local.call('host.info', {})
    address = parseHostAddress(listening.find((where) => where.startsWith('ws://')) ?? '')
  })
  afterAll(async () => {
    for (const connection of [...open, local]) connection.close()
    await host.dispose()
    await repo.dispose()
  })

  async function userToken(name: string): Promise<string> {
    const shown = await local.call('token.present', { role: 'user', name })
    const typed = { nonce: shown.nonce, sha256: shown.sha256 }
    return (await local.call('token.create', { role: 'user', name, typed })).token
  }

  async function connectWith(token: string, more: Partial<ConnectOptions> = {}): Promise<HostConnection> {
    const connection = await host.connect({ address, token, ...more })
    open.push(connection)
    return connection
  }

  it('needs a person to make a user token, tells the people who are connected, and writes it down', async () => {
    await expect(local.call('token.create', { role: 'user', name: 'sneaky' })).rejects.toMatchObject({
      code: 'person_required',
    })
    const told: string[] = []
    await connectWith(await userToken('first'), { onNotice: (notice) => void told.push(notice.text) })
    const second = await userToken('second')
    await until('the first person is told', () => told.some((text) => text.includes('second')))
    const { entries } = await local.call('audit.list', {})
    expect(entries.find((entry) => entry.decision === 'token.create')).toMatchObject({
      by: { role: 'user', via: 'terminal' },
    })
    expect(JSON.stringify(entries)).not.toContain(second)
  })

  it('lets an observer read and nothing else, and not move anybody else’s cursor', async () => {
    const { token } = await local.call('token.create', { role: 'observer', name: 'watcher' })
    const watcher = await connectWith(token, { clientId: 'test' })
    const task = await dispatchDemo(local, repo.path, 'demo: ask-permission ls')
    const wait = { consumer: 'test', tasks: [task.id], until: 'wake' as const }
    const seen = await watcher.call('wait.next', wait)
    await watcher.call('events.ack', { consumer: 'test', seq: seen.event.seq, taskId: task.id })
    // The client of the socket has the same name and is still told.
    expect((await local.call('wait.next', wait)).event.seq).toBe(seen.event.seq)
    const ticket = ticketOf(seen)
    for (const attempt of [
      () => watcher.call('ticket.answer', { requestId: requestId(), ticket, answer: { kind: 'approve' } }),
      () => watcher.call('task.cancel', { requestId: requestId(), task: task.id }),
      () => watcher.call('task.run', { task: task.id, argv: ['id'], timeoutMs: 1_000 }),
      () => watcher.call('token.create', { role: 'reviewer', name: 'more' }),
      () => watcher.call('ticket.present', { ticket }),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('lets the person of a user token decide what a reviewer token may not', async () => {
    const { token } = await local.call('token.create', { role: 'reviewer', name: 'agent' })
    const reviewer = await connectWith(token)
    const person = await connectWith(await userToken('desk'))
    const task = await dispatchDemo(reviewer, repo.path, 'demo: ask-permission sudo reboot')
    const asked = await until(
      'it asks',
      async () => (await local.call('ticket.list', { task: task.id })).tickets[0],
    )
    const answer = { ticket: asked.id, answer: { kind: 'deny' as const, stop: false } }
    await expect(reviewer.call('ticket.answer', { ...answer, requestId: requestId() })).rejects.toMatchObject(
      { code: 'user_only' },
    )
    expect((await person.call('ticket.answer', { ...answer, requestId: requestId() })).kind).toBe('applied')
  })

  it('ends a connection at once when its token is revoked, and lets it in no more', async () => {
    const { token, info } = await local.call('token.create', { role: 'reviewer', name: 'lost laptop' })
    const connection = await connectWith(token)
    expect((await local.call('token.revoke', { token: info.id })).closedConnections).toBe(1)
    expect(await connection.closed).toMatchObject({ kind: 'refused', error: { code: 'unauthorized' } })
    await expect(connectWith(token)).rejects.toMatchObject({ code: 'unauthorized' })
  })
})
