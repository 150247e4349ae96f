import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { AppError } from '../../shared/errors.ts'
import { privateFolder, type Home } from '../../shared/node/home.ts'
import { deskSocketPath, type DeskAddress, type DeskRequest } from '../../shared/node/desk-control.ts'
import type { DeskLogger } from '../services/desk/log.ts'
import type { Desk, DeskNeeds } from '../services/desk/types.ts'
import type { DeskPlatform } from '../services/platform.ts'
import { claimHome } from './claim.ts'
import { openControlSocket } from './control-socket.ts'
import { createBrowserPlatform } from './platform.ts'
import { createBrowserServer } from './server.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { createSignIn } from './sign-in.ts'
import { createSignInTickets } from './sign-in-tickets.ts'
import { createStaticFiles } from './static-files.ts'
import { createWindows, type Windows } from './windows.ts'

/** What a browser shell is made from. */
export interface BrowserHostNeeds {
  home: Home
  environment: NodeJS.ProcessEnv
  installation: DeskNeeds['installation']
  /** Wanted exactly; undefined takes the last one again or any. */
  port: number | undefined
  createDesk: (needs: DeskNeeds) => Promise<Desk> | Desk
  log: DeskLogger
  now: () => number
}

/** How a start ended: it serves, or another process serves this home already and gave an address. */
export type BrowserHostStart =
  | { kind: 'serving'; address: DeskAddress; dispose(): Promise<void> }
  | { kind: 'running'; address: DeskAddress }

/**
 * Starts the services and the page on loopback. The home is claimed before the services are opened, so that two shells never
 * work on the same files; until then the server answers nobody.
 */
export async function startBrowserHost(needs: BrowserHostNeeds): Promise<BrowserHostStart> {
  const { home, now, log } = needs
  const deskFolder = path.join(home.root, 'desk')
  for (const folder of [home.root, deskFolder, path.dirname(home.socket)]) await privateFolder(folder)
  const held: Held = {}
  const isInUse = (id: string) => (held.windows?.countOf(id) ?? 0) > 0
  const sessions = createSessions({ deskFolder, now, isInUse })
  // Two minutes are two minutes, whoever sets the clock.
  const tickets = createSignInTickets({ now: () => performance.now() })
  const signIn = createSignIn({ tickets, sessions, now })
  const files = createStaticFiles(path.join(needs.installation.dist, 'renderer'))
  const server = createBrowserServer({ files, signIn, windows: () => held.windows, log })
  const port = await listen(server, { wanted: needs.port, last: sessions.lastPort })
  const address = (): DeskAddress => ({
    v: 1,
    url: `http://127.0.0.1:${port}/#ticket=${tickets.create()}`,
    port,
    pid: process.pid,
  })
  const socket = deskSocketPath(home, `ui-${randomBytes(4).toString('hex')}.sock`)
  const control = await openControlSocket(socket, (request) => answer(request, { sessions, held, address }))
  const closeDoors = async () => {
    await control.dispose()
    await server.dispose()
  }
  const claim = await claimHome(home.root, { v: 1, pid: process.pid, port, socket })
  if (claim.kind === 'taken') {
    await closeDoors()
    return { kind: 'running', address: claim.address }
  }
  const release = async () => {
    claim.release()
    await closeDoors()
  }
  const desk = await openDesk(needs, { deskFolder, sessions: sessionsForPlatform(sessions, held) }).catch(
    async (error: unknown) => {
      await release()
      throw error
    },
  )
  sessions.servesAt(port)
  const windows = createWindows({ desk, sessions, log })
  held.windows = windows
  return {
    kind: 'serving',
    address: address(),
    async dispose() {
      windows.dispose()
      await release()
      sessions.dispose()
      await desk.dispose()
    },
  }
}

async function openDesk(
  { createDesk, home, environment, installation }: BrowserHostNeeds,
  more: { deskFolder: string; sessions: NonNullable<DeskPlatform['sessions']> },
): Promise<Desk> {
  const platform = createBrowserPlatform({ ...more, dist: installation.dist, environment })
  return createDesk({ home, environment, installation, platform })
}

async function listen(
  server: { listen(port: number): Promise<number> },
  { wanted, last }: { wanted: number | undefined; last: number | undefined },
): Promise<number> {
  if (wanted !== undefined || last === undefined) return server.listen(wanted ?? 0)
  try {
    return await server.listen(last)
  } catch (error) {
    if (error instanceof AppError && error.code === 'port_taken') return server.listen(0)
    throw error
  }
}

/** The windows, once the desk is open: the server and the control socket are there before. */
interface Held {
  windows?: Windows
}

function answer(
  request: DeskRequest,
  { sessions, held, address }: { sessions: Sessions; held: Held; address: () => DeskAddress },
): unknown {
  switch (request.ask) {
    case 'ticket':
      return address()
    case 'sessions':
      return {
        sessions: sessions.list().map((one) => ({ ...one, windows: held.windows?.countOf(one.id) ?? 0 })),
      }
    case 'revoke': {
      if (!sessions.revoke(request.id))
        throw new AppError({
          code: 'session_not_found',
          message: 'There is no such session.',
          hint: 'See `handoff ui sessions`.',
        })
      return { closedWindows: held.windows?.closeSession(request.id) ?? 0 }
    }
  }
}

/** Sessions as the settings of a window see them; `current` is the id of that window. */
function sessionsForPlatform(sessions: Sessions, held: Held): NonNullable<DeskPlatform['sessions']> {
  return {
    list(current) {
      const own = held.windows?.sessionOf(current)
      return sessions.list().map((one) => ({ ...one, current: one.id === own }))
    },
    revoke(id) {
      const found = sessions.revoke(id)
      if (found) held.windows?.closeSession(id)
      return found
    },
  }
}
