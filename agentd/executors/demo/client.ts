import { connect, type Socket } from 'node:net'
import type { Delivery, DeliveryOutcome } from '../adapter.ts'
import { createLineReader, type DemoMessage, type DemoRequest, type NumberedFact } from './protocol.ts'

/** One live connection to the program. */
export interface DemoConnection {
  facts(since: number): void
  deliver(delivery: Delivery): Promise<DeliveryOutcome>
  abort(): Promise<DeliveryOutcome>
  stop(): Promise<DeliveryOutcome>
  /** Closes without calling `onClose`. */
  close(): void
}

interface Deps {
  path: string
  onFact: (numbered: NumberedFact) => void
  onClose: () => void
}

const REPLY_TIMEOUT_MS = 10_000

/** Connects to the program's socket; `undefined` when nobody listens there. */
export async function connectDemo({ path, onFact, onClose }: Deps): Promise<DemoConnection | undefined> {
  const socket = await openSocket(path)
  if (socket === undefined) return undefined
  const waiting = new Map<number, (outcome: DeliveryOutcome) => void>()
  let lastId = 0
  let closedByUs = false

  const read = createLineReader((line) => {
    const message = JSON.parse(line) as DemoMessage
    if (message.type === 'fact') return onFact({ n: message.n, fact: message.fact })
    waiting.get(message.id)?.(message.outcome)
    waiting.delete(message.id)
  })
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    try {
      read(chunk)
    } catch (error) {
      socket.destroy(error as Error)
    }
  })
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    for (const settle of waiting.values())
      settle({ kind: 'retry', message: 'The connection to the executor broke.' })
    waiting.clear()
    if (!closedByUs) onClose()
  })

  function ask(request: (id: number) => DemoRequest): Promise<DeliveryOutcome> {
    if (socket === undefined || socket.destroyed) {
      return Promise.resolve({ kind: 'retry', message: 'The executor cannot be reached.' })
    }
    lastId += 1
    const id = lastId
    return new Promise((settle) => {
      const timer = setTimeout(
        () => finish({ kind: 'retry', message: 'The executor did not reply in time.' }),
        REPLY_TIMEOUT_MS,
      )
      const finish = (outcome: DeliveryOutcome) => {
        clearTimeout(timer)
        waiting.delete(id)
        settle(outcome)
      }
      waiting.set(id, finish)
      socket.write(`${JSON.stringify(request(id))}\n`)
    })
  }

  return {
    facts(since) {
      socket.write(`${JSON.stringify({ type: 'facts', since } satisfies DemoRequest)}\n`)
    },
    deliver: (delivery) => ask((id) => ({ type: 'deliver', id, delivery })),
    abort: () => ask((id) => ({ type: 'abort', id })),
    stop: () => ask((id) => ({ type: 'stop', id })),
    close() {
      closedByUs = true
      socket.destroy()
    },
  }
}

function openSocket(path: string): Promise<Socket | undefined> {
  return new Promise((settle) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.removeAllListeners('error')
      settle(socket)
    })
    socket.once('error', () => settle(undefined))
  })
}
