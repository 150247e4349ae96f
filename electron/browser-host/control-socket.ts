import fs from 'node:fs/promises'
import net from 'node:net'
import { AppError, toWireError } from '../../shared/errors.ts'
import { deskRequestSchema, type DeskRequest } from '../../shared/node/desk-control.ts'

const MAX_REQUEST_CHARS = 4_096
const REQUEST_TIMEOUT_MS = 5_000

/**
 * The socket through which the command line of the same user asks for tickets and sessions: one line in, one line out. Its
 * folder is 0700 and itself 0600, so whoever can open it is that user.
 */
export async function openControlSocket(
  socketPath: string,
  answer: (request: DeskRequest) => unknown,
): Promise<{ dispose(): Promise<void> }> {
  const server = net.createServer((socket) => {
    let text = ''
    socket.setEncoding('utf8')
    socket.setTimeout(REQUEST_TIMEOUT_MS, () => socket.destroy())
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk: string) => {
      text += chunk
      if (text.length > MAX_REQUEST_CHARS) return void socket.destroy()
      if (text.endsWith('\n')) socket.end(`${JSON.stringify(outcome(text, answer))}\n`)
    })
  })
  server.maxConnections = 32
  // The name is put into place with its final mode: the folder is 0700 already, this is the second bolt.
  const umask = process.umask(0o177)
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(socketPath, resolve)
    })
  } finally {
    process.umask(umask)
  }
  return {
    async dispose() {
      await new Promise<void>((resolve) => server.close(() => resolve()))
      await fs.rm(socketPath, { force: true })
    },
  }
}

function outcome(text: string, answer: (request: DeskRequest) => unknown): unknown {
  try {
    const request = deskRequestSchema.safeParse(JSON.parse(text))
    if (!request.success)
      throw new AppError({
        code: 'unknown_call',
        message: 'The desk that runs does not know this request.',
        hint: 'It may be of another version: quit it and start it again.',
      })
    return answer(request.data)
  } catch (error) {
    return { error: toWireError(error) }
  }
}
