import { once } from 'node:events'
import http from 'node:http'
import path from 'node:path'
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { WebSocket, WebSocketServer } from 'ws'

/** What the bare server does with a message: send it back, or push so many copies of `text`. */
type Request = { echo: string } | { push: number; text: string }

/**
 * The baseline of everything that goes over a socket: a `ws` server with no Handoff in it, in a process of its own, on a
 * Unix socket in `folder`.
 */
export async function startBareServer(folder: string) {
  const socketPath = path.join(folder, 'bare.sock')
  const child = fork(fileURLToPath(import.meta.url), [socketPath], {
    execArgv: ['--experimental-strip-types', '--no-warnings'],
  })
  await once(child, 'message')
  const ws = new WebSocket(`ws+unix://${socketPath}:/`, { perMessageDeflate: false })
  await once(ws, 'open')
  return {
    /** One message there and back; returns ms. */
    async roundTrip(): Promise<number> {
      const start = performance.now()
      ws.send(JSON.stringify({ echo: 'x'.repeat(200) } satisfies Request))
      await once(ws, 'message')
      return performance.now() - start
    },
    /** Has `count` messages pushed, each read as JSON here; returns ms until the last one. */
    push(count: number, text: string): Promise<number> {
      const start = performance.now()
      let seen = 0
      return new Promise((resolve) => {
        const onMessage = (data: Buffer) => {
          JSON.parse(data.toString())
          if (++seen < count) return
          ws.off('message', onMessage)
          resolve(performance.now() - start)
        }
        ws.on('message', onMessage)
        ws.send(JSON.stringify({ push: count, text } satisfies Request))
      })
    },
    async stop() {
      ws.terminate()
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}

function serve(socketPath: string): void {
  const server = http.createServer()
  const sockets = new WebSocketServer({ server, perMessageDeflate: false })
  sockets.on('connection', (ws) => {
    ws.on('message', (data) => void answer(ws, JSON.parse(data.toString()) as Request))
  })
  server.listen(socketPath, () => process.send?.('ready'))
}

async function answer(ws: WebSocket, request: Request): Promise<void> {
  if ('echo' in request) return ws.send(request.echo)
  for (let n = 0; n < request.push; n++) {
    ws.send(request.text)
    // Bare, but not careless: without this the whole push would lie in memory first.
    if (ws.bufferedAmount > 1024 * 1024) await new Promise((resolve) => setImmediate(resolve))
  }
}

const socketPath = process.argv[2]
if (process.send && socketPath && process.argv[1] === fileURLToPath(import.meta.url)) serve(socketPath)
