import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dialStdio } from '../../cli/dial-stdio.ts'
import { connectHost } from '../../shared/node/host-client/connection.ts'
import { createHostLink } from '../../shared/node/host-client/reconnecting.ts'
import { requires } from '../support/requirements.ts'
import { startSshd, type Sshd } from '../support/sshd.ts'
import { serversForTest } from '../support/servers-for-test.ts'
import { until } from '../support/until.ts'

const { start, connections } = serversForTest()

describe('dialStdio', () => {
  it('carries bytes both ways and hands on the end of either side', async () => {
    const { folder } = await start()
    const socketPath = path.join(folder, 'echo.sock')
    const sockets: net.Socket[] = []
    const echo = net.createServer((socket) => {
      sockets.push(socket)
      socket.pipe(socket)
    })
    await new Promise<void>((resolve) => echo.listen(socketPath, resolve))
    const stdin = new PassThrough()
    const stdout = new PassThrough()
    const done = dialStdio({ socketPath, stdin, stdout })
    let received = 0
    stdout.on('data', (data: Buffer) => (received += data.length))
    // More than any buffer on the way, and the end right behind it: nothing may be cut off.
    for (let index = 0; index < 100; index += 1) stdin.write(Buffer.alloc(50_000))
    stdin.end()
    await done
    expect(received).toBe(5_000_000)

    const second = dialStdio({ socketPath, stdin: new PassThrough(), stdout })
    await until('the second', () => sockets.length === 2)
    sockets[1]?.destroy()
    await second
    await new Promise((resolve) => echo.close(resolve))
    await expect(dialStdio({ socketPath: `${socketPath}.none`, stdin, stdout })).rejects.toMatchObject({
      code: 'ENOENT',
    })
  })
})

const needs = requires('sshd')
describe.skipIf(needs.skip)(needs.title('a host over ssh'), { timeout: 90_000 }, () => {
  let sshd: Sshd
  beforeAll(async () => {
    sshd = await startSshd()
  })
  afterAll(() => sshd.dispose())

  /** A command on the other side that does what `handoff dial-stdio` does. */
  function remoteCommand({ folder, socketPath }: { folder: string; socketPath: string }): string {
    const bin = path.join(folder, 'bin')
    mkdirSync(bin, { recursive: true })
    const script = path.join(bin, 'dial.mjs')
    const source = path.resolve(import.meta.dirname, '../../cli/dial-stdio.ts')
    writeFileSync(
      script,
      `import { dialStdio } from ${JSON.stringify(source)}
       await dialStdio({ socketPath: ${JSON.stringify(socketPath)}, stdin: process.stdin, stdout: process.stdout })
       process.exit(0)`,
    )
    chmodSync(script, 0o700)
    return `${process.execPath} ${script}`
  }

  function clientOf(started: Awaited<ReturnType<typeof start>>) {
    return {
      ...started.client,
      address: { kind: 'ssh' as const, host: sshd.host },
      ssh: { extraArgs: sshd.sshArgs, remoteCommand: remoteCommand(started) },
    }
  }

  it('is a full connection, as a reviewer, with nothing but ssh between', async () => {
    const started = await start({ handlers: { 'task.find': () => ({ tasks: [] }) } })
    started.store.append('x'.repeat(1_000), 5_000)
    const seen: number[] = []
    const connection = await connectHost({
      ...clientOf(started),
      resume: { fromSeq: 0 },
      onEvents: (events) => void seen.push(...events.map((event) => event.seq)),
    })
    connections.push(connection)
    expect(connection.welcome).toMatchObject({ role: 'reviewer', hostId: started.hostId })
    await until('all events', () => seen.length === 5_000)
    expect(await connection.call('task.find', { ref: 'ab' })).toEqual({ tasks: [] })
    connection.close()
    expect(await connection.closed).toEqual({ kind: 'closed_here' })
    await until('the other side to end', () => started.server.connectionCount() === 0)
  })

  it('comes back after the network dropped it', async () => {
    const started = await start()
    const seen: number[] = []
    const link = createHostLink({
      ...clientOf(started),
      resumeFrom: 0,
      backoff: { firstMs: 10, maxMs: 100 },
      onEvents: (events) => void seen.push(...events.map((event) => event.seq)),
    })
    try {
      for (let round = 1; round <= 3; round += 1) {
        await until('it to be live', () => link.state().kind === 'live', { timeoutMs: 20_000 })
        started.store.append('x', 2)
        await until('the events', () => seen.length === round * 2)
        await sshd.dropConnections()
        await until('it to notice', () => link.state().kind !== 'live')
      }
      await until('it to be live', () => link.state().kind === 'live', { timeoutMs: 20_000 })
    } finally {
      await link.dispose()
    }
    expect(seen).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('says what is wrong on the other side', async () => {
    const started = await start()
    const client = clientOf(started)
    await expect(
      connectHost({ ...client, ssh: { ...client.ssh, remoteCommand: 'no-such-command-here' } }),
    ).rejects.toMatchObject({ code: 'host_unreachable', message: expect.stringContaining('not installed') })
    await expect(
      connectHost({ ...client, ssh: { ...client.ssh, remoteCommand: 'echo broken home >&2; exit 3' } }),
    ).rejects.toMatchObject({ code: 'host_unreachable', message: expect.stringContaining('broken home') })
    await expect(
      connectHost({ ...client, address: { kind: 'ssh', host: '127.0.0.1', port: 1 } }),
    ).rejects.toMatchObject({ code: 'host_unreachable', message: expect.stringContaining('refused') })
    await expect(connectHost({ ...client, ssh: { program: '/no/such/ssh' } })).rejects.toMatchObject({
      code: 'host_unreachable',
      message: expect.stringContaining('not found'),
    })
  })
})
