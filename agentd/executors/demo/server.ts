import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { userInfo } from 'node:os'
import type { Delivery, DeliveryOutcome } from '../adapter.ts'
import { createLineReader, type DemoMessage, type DemoRequest, type NumberedFact } from './protocol.ts'

interface Deps {
  path: string
  since: (n: number) => NumberedFact[]
  deliver: (delivery: Delivery) => DeliveryOutcome
  abort: () => void
  stop: () => void
}

/** The program's door: a 0600 socket on which the adapter reads facts and hands things over. */
export async function createDemoServer({ path, since, deliver, abort, stop }: Deps) {
  const listeners = new Set<Socket>()
  preparePlace(path)

  function handle(socket: Socket, request: DemoRequest): void {
    const send = (message: DemoMessage) => void socket.write(`${JSON.stringify(message)}\n`)
    switch (request.type) {
      case 'facts':
        for (const numbered of since(request.since)) send({ type: 'fact', ...numbered })
        listeners.add(socket)
        return
      case 'deliver':
        send({ type: 'reply', id: request.id, outcome: deliver(request.delivery) })
        return
      case 'abort':
        abort()
        send({ type: 'reply', id: request.id, outcome: { kind: 'delivered' } })
        return
      case 'stop':
        socket.end(
          `${JSON.stringify({ type: 'reply', id: request.id, outcome: { kind: 'delivered' } })}\n`,
          stop,
        )
    }
  }

  const server = createServer((socket) => {
    socket.setEncoding('utf8')
    const read = createLineReader((line) => handle(socket, JSON.parse(line) as DemoRequest))
    socket.on('data', (chunk: string) => {
      try {
        read(chunk)
      } catch {
        // Only our own adapter can reach this socket; what it cannot mean ends that connection and nothing else.
        socket.destroy()
      }
    })
    socket.on('error', () => socket.destroy())
    socket.on('close', () => listeners.delete(socket))
  })
  await new Promise<void>((ready, failed) => {
    server.once('error', failed)
    server.listen(path, ready)
  })
  chmodSync(path, 0o600)

  return {
    push(numbered: NumberedFact): void {
      const line = `${JSON.stringify({ type: 'fact', ...numbered } satisfies DemoMessage)}\n`
      for (const socket of listeners) socket.write(line)
    },
    /** Closes the door and everybody's line; nobody comes in any more. */
    hangUp(): void {
      server.close()
      for (const socket of listeners) socket.destroy()
    },
    close: () => server.close(),
  }
}

/** The folder is the owner's alone, so that nobody can reach the socket before its mode is set. */
function preparePlace(path: string): void {
  const folder = dirname(path)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const info = lstatSync(folder)
  if (info.uid !== userInfo().uid) throw new Error(`${folder} belongs to somebody else.`)
  chmodSync(folder, 0o700)
  rmSync(path, { force: true })
}
