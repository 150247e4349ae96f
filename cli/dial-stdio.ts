import net from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/**
 * Connects stdin and stdout with agentd's socket, byte for byte, until either side ends. What was read before the end
 * is still delivered to the other side. Rejects when the socket cannot be reached.
 */
export async function dialStdio({
  socketPath,
  stdin,
  stdout,
}: {
  socketPath: string
  stdin: Readable
  stdout: Writable
}): Promise<void> {
  const socket = net.connect({ path: socketPath, allowHalfOpen: true })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  const up = pipeline(stdin, socket)
  const down = pipeline(socket, stdout, { end: false })
  const downEnded = ended(down)
  await Promise.race([downEnded, ended(up)])
  // The caller went away first: what agentd still says goes to nobody but is let finish; agentd closes in turn.
  await Promise.race([downEnded, closesWithin(socket, 1_000)])
  socket.destroy()
  stdin.destroy()
}

/** Resolves at the end of a direction; a pipe that broke has ended too. */
function ended(direction: Promise<void>): Promise<void> {
  return direction.then(
    () => undefined,
    () => undefined,
  )
}

function closesWithin(socket: net.Socket, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, timeoutMs)
    socket.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
