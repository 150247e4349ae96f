import { randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { AppError } from '../../shared/errors.ts'
import { privateFolder } from '../../shared/node/home.ts'

const PROBE_MS = 2_000

/**
 * Makes `server` listen on a socket that only this user can reach. The folder is 0700 before anything is bound in it, so
 * the umask does not matter. A socket left by a dead process is replaced; a live one is `agentd_running`.
 */
export async function listenOnSocket(server: net.Server, socketPath: string): Promise<void> {
  await privateFolder(path.dirname(socketPath))
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if (await tryListen(server, { path: socketPath })) {
      await fs.chmod(socketPath, 0o600)
      return
    }
    if (await answers(socketPath)) break
    await removeStale(socketPath)
  }
  throw new AppError({
    code: 'agentd_running',
    message: 'agentd is already running for this home folder.',
    hint: 'Use it, or stop it with `handoff agentd stop`.',
    details: { socket: socketPath },
  })
}

/** Listens on a TCP address; an address in use is `agentd_running`. Gives the port that was bound. */
export async function listenOnPort(
  server: net.Server,
  address: { host: string; port: number },
): Promise<number> {
  if (!(await tryListen(server, address)))
    throw new AppError({
      code: 'agentd_running',
      message: `Something listens on ${address.host}:${address.port} already.`,
      hint: 'Choose another port for --listen.',
    })
  const bound = server.address()
  return bound !== null && typeof bound === 'object' ? bound.port : address.port
}

/** False when the address is taken; any other failure is thrown. */
function tryListen(server: net.Server, options: net.ListenOptions): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false)
      else reject(error)
    }
    server.once('error', failed)
    server.listen(options, () => {
      server.off('error', failed)
      resolve(true)
    })
  })
}

function answers(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(socketPath)
    const done = (alive: boolean) => {
      socket.destroy()
      resolve(alive)
    }
    // Something that accepts and is slow is alive; only a refusal proves that nobody listens.
    socket.setTimeout(PROBE_MS, () => done(true))
    socket.once('connect', () => done(true))
    socket.once('error', (error: NodeJS.ErrnoException) =>
      done(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT' && error.code !== 'ENOTSOCK'),
    )
  })
}

/**
 * Two that start at once may both have found the socket dead. It is moved aside first and asked again: if the other one
 * has bound its own meanwhile, that is put back.
 */
async function removeStale(socketPath: string): Promise<void> {
  const aside = `${socketPath}.${randomBytes(4).toString('hex')}`
  try {
    await fs.rename(socketPath, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  if (await answers(aside)) await fs.rename(aside, socketPath)
  else await fs.rm(aside)
}
