import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { connectHost } from '../../shared/node/host-client/connection.ts'
import { startServer } from '../support/server.ts'
import { serversForTest } from '../support/servers-for-test.ts'
import { until } from '../support/until.ts'

const { open, connections, start: startUnix } = serversForTest()

async function start(options: Parameters<typeof startServer>[0] = {}) {
  const started = await startUnix(options)
  const tcp = await started.server.listenTcp({ address: { host: '127.0.0.1', port: 0 }, yesPublic: false })
  return {
    ...started,
    tcp,
    tcpClient: { ...started.client, address: { kind: 'ws' as const, secure: false, ...tcp } },
  }
}

const upgradeHeaders = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

/** The answer to one HTTP request; 101 when the connection was upgraded. */
function request(where: http.RequestOptions, headers: http.OutgoingHttpHeaders = {}) {
  return new Promise<{ status: number; headers: http.IncomingHttpHeaders; body: string }>(
    (resolve, reject) => {
      const outgoing = http.request({ ...where, headers, agent: false })
      outgoing.on('response', (response) => {
        let body = ''
        response.on('data', (data) => (body += String(data)))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        )
      })
      outgoing.on('upgrade', (response, socket) => {
        socket.destroy()
        resolve({ status: 101, headers: response.headers, body: '' })
      })
      outgoing.on('error', reject)
      outgoing.end()
    },
  )
}

describe('the socket', () => {
  it('is 0600 in a 0700 folder, whatever the umask', async () => {
    const before = process.umask(0)
    const { socketPath } = await start()
    process.umask(before)
    expect(statSync(socketPath).mode & 0o777).toBe(0o600)
    expect(statSync(path.dirname(socketPath)).mode & 0o777).toBe(0o700)
  })

  it('makes its caller a reviewer, and a token makes more of them', async () => {
    const { client, tokens, presence } = await start()
    const { token } = tokens.create({ name: 'desk', role: 'user' })
    connections.push(await connectHost(client))
    expect(connections.at(-1)?.welcome.role).toBe('reviewer')
    expect(presence.personConnected()).toBe(false)
    connections.push(await connectHost({ ...client, token }))
    expect(connections.at(-1)?.welcome.role).toBe('user')
    expect(presence.personConnected()).toBe(true)
    await expect(connectHost({ ...client, token: 'hnd_wrong' })).rejects.toMatchObject({
      code: 'unauthorized',
    })
  })

  it('is refused to a second agentd while the first lives', async () => {
    const first = await start()
    const second = await startServer()
    open.push(second)
    await expect(second.server.listenUnix(first.socketPath)).rejects.toMatchObject({ code: 'agentd_running' })
    connections.push(await connectHost(first.client))
  })

  it('replaces what a dead process left', async () => {
    const started = await start()
    const stale = path.join(started.folder, 'run', 'stale.sock')
    const child = spawnSync(process.execPath, [
      '-e',
      `require('net').createServer().listen(${JSON.stringify(stale)}, () => process.kill(process.pid, 'SIGKILL'))`,
    ])
    expect(child.signal).toBe('SIGKILL')
    expect(existsSync(stale)).toBe(true)
    await started.server.listenUnix(stale)
    connections.push(await connectHost({ ...started.client, address: { kind: 'unix', path: stale } }))
  })

  it('is not put where others may write', async () => {
    const started = await start()
    const folder = path.join(started.folder, 'open')
    mkdirSync(folder)
    chmodSync(folder, 0o777)
    await started.server.listenUnix(path.join(folder, 'a.sock'))
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })
})

describe('TCP', () => {
  it('lets in who has a token and nobody else', async () => {
    const { tcpClient, tokens } = await start()
    await expect(connectHost(tcpClient)).rejects.toMatchObject({ code: 'unauthorized' })
    await expect(connectHost({ ...tcpClient, token: 'hnd_nonsense' })).rejects.toMatchObject({
      code: 'unauthorized',
    })
    const { token } = tokens.create({ name: 'laptop', role: 'observer' })
    const connection = await connectHost({ ...tcpClient, token })
    connections.push(connection)
    expect(connection.welcome.role).toBe('observer')
    await expect(connection.call('token.list', {})).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('makes an address that keeps guessing wait', async () => {
    const { tcp, tokens } = await start({ limits: { authFailures: 3 } })
    const { token } = tokens.create({ name: 'right', role: 'reviewer' })
    const headers = (text: string) => ({ ...upgradeHeaders, Authorization: `Bearer ${text}` })
    for (let index = 0; index < 3; index += 1)
      expect((await request(tcp, headers(`x${index}`))).status).toBe(401)
    const limited = await request(tcp, headers(token))
    expect(limited.status).toBe(429)
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
  })

  it('refuses web pages and foreign host names before it looks at the token', async () => {
    const { tcp, socketPath, tokens } = await start()
    const { token } = tokens.create({ name: 'right', role: 'reviewer' })
    const headers = { ...upgradeHeaders, Authorization: `Bearer ${token}` }
    expect((await request(tcp, headers)).status).toBe(101)
    expect((await request(tcp, { ...headers, Host: `localhost:${tcp.port}` })).status).toBe(101)
    expect((await request(tcp, { ...headers, Origin: 'http://127.0.0.1' })).status).toBe(403)
    expect((await request({ socketPath }, { ...upgradeHeaders, Origin: 'null' })).status).toBe(403)
    expect((await request(tcp, { ...headers, Host: 'evil.example' })).status).toBe(421)
    expect((await request({ ...tcp, path: '/admin' }, headers)).status).toBe(404)
  })

  it('answers plain HTTP with a short sentence', async () => {
    const { tcp } = await start()
    expect(await request(tcp)).toMatchObject({ status: 426, body: 'This is a WebSocket.\n' })
    expect(await request({ ...tcp, path: '/x' })).toMatchObject({ status: 404, body: 'Not found.\n' })
    expect(await request({ ...tcp, method: 'POST' })).toMatchObject({ status: 426 })
  })

  it('refuses an address that strangers can reach, unless that is wanted', async () => {
    const { server } = await start()
    const address = { host: '0.0.0.0', port: 0 }
    await expect(server.listenTcp({ address, yesPublic: false })).rejects.toMatchObject({
      code: 'public_address',
    })
    const { port } = await server.listenTcp({ address, yesPublic: true })
    expect(port).toBeGreaterThan(0)
  })

  it('ends the connections of a token the moment it is revoked', async () => {
    const { tcpClient, tokens, presence } = await start()
    const { token, info } = tokens.create({ name: 'phone', role: 'user' })
    const connection = await connectHost({ ...tcpClient, token })
    expect(presence.personConnected()).toBe(true)
    expect(tokens.revoke(info.id).closedConnections).toBe(1)
    expect(await connection.closed).toMatchObject({ kind: 'refused', error: { code: 'unauthorized' } })
    await until('presence', () => !presence.personConnected())
    await expect(connectHost({ ...tcpClient, token })).rejects.toMatchObject({ code: 'unauthorized' })
  })

  it('gives a slow handshake and a silent client only so much time', async () => {
    const { tcp, socketPath, server } = await start({ limits: { handshakeMs: 150, helloDeadlineMs: 150 } })
    const slow = net.connect(tcp.port, tcp.host)
    slow.on('error', () => undefined)
    slow.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ')
    const closed = new Promise((resolve) => slow.on('close', resolve))
    await closed
    const silent = new WebSocket('ws://localhost', { createConnection: () => net.connect(socketPath) })
    const messages: string[] = []
    silent.on('message', (data) => messages.push(String(data)))
    expect(await new Promise((resolve) => silent.on('close', resolve))).toBe(1008)
    expect(messages.join()).toContain('"timeout"')
    await until('it to be forgotten', () => server.connectionCount() === 0)
  })

  it('lets one address hold only half of the places without being let in', async () => {
    const { tcp, tcpClient, tokens } = await start({ limits: { maxConnections: 8 } })
    const { token } = tokens.create({ name: 'laptop', role: 'observer' })
    const sockets = Array.from({ length: 6 }, () =>
      net.connect(tcp.port, tcp.host).on('error', () => undefined),
    )
    const closed = sockets.map((socket) => new Promise((resolve) => socket.on('close', resolve)))
    await Promise.race(closed)
    await until('two to be refused', () => sockets.filter((socket) => socket.destroyed).length === 2)
    await expect(connectHost({ ...tcpClient, token })).rejects.toMatchObject({ code: 'host_unreachable' })
    for (const socket of sockets) socket.destroy()
    await until('room', async () => {
      connections.push(await connectHost({ ...tcpClient, token }))
      return true
    })
  })

  it('tells connected people, and only them, what they should know', async () => {
    const { client, tokens, presence } = await start()
    const { token } = tokens.create({ name: 'desk', role: 'user' })
    const told: string[] = []
    const changes: boolean[] = []
    presence.onChange(() => changes.push(presence.personConnected()))
    connections.push(await connectHost({ ...client, onNotice: () => told.push('reviewer') }))
    const person = await connectHost({ ...client, token, onNotice: ({ text }) => told.push(text) })
    presence.tellPeople('user_token_created', 'A token was created.')
    await until('the notice', () => told.length > 0)
    expect(told).toEqual(['A token was created.'])
    person.close()
    await until('the person to be gone', () => changes.length === 2)
    expect(changes).toEqual([true, false])
  })

  it('refuses the connection one too many and keeps the others', async () => {
    const { client, server } = await start({ limits: { maxConnections: 3 } })
    for (let index = 0; index < 3; index += 1) connections.push(await connectHost(client))
    await expect(connectHost(client)).rejects.toMatchObject({
      code: 'host_unreachable',
      details: { status: 503 },
    })
    connections.pop()?.close()
    await until('room', () => server.connectionCount() === 2)
    connections.push(await connectHost(client))
  })
})

it('says what to do when nobody listens', async () => {
  const { client } = await start()
  const gone = { ...client, address: { kind: 'unix' as const, path: '/nonexistent/agentd.sock' } }
  await expect(connectHost(gone)).rejects.toMatchObject({
    code: 'host_unreachable',
    hint: expect.stringContaining('agentd start'),
  })
  const probe = net.createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.on('listening', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  const closedPort = { kind: 'ws' as const, host: '127.0.0.1', port, secure: false }
  await expect(connectHost({ ...client, address: closedPort })).rejects.toMatchObject({
    code: 'host_unreachable',
    details: { reason: 'ECONNREFUSED' },
  })
})
