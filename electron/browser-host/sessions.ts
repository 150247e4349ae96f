import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { z } from 'zod'
import { readDispensable, writeDispensable, writePrivateFile } from '../../shared/node/private-file.ts'
import { hasHash, hashOf, newSecret } from './secret.ts'

const IDLE_MS = 30 * 24 * 3_600_000
const MAX_SESSIONS = 50
/** `lastSeenAt` is for people to read and for expiry in days; writing it each time would wear the disk. */
const SEEN_RESOLUTION_MS = 60_000

const storedSchema = z.object({
  id: z.string().max(64),
  hash: z.string().max(64),
  keyHash: z.string().max(64),
  createdAt: z.number().int(),
  lastSeenAt: z.number().int(),
  agent: z.string().max(300),
})
const fileSchema = z.object({
  v: z.literal(1),
  /** In the cookie's name: cookies are shared by all ports of an address, and one browser may know several desks. */
  deskId: z.string().regex(/^[0-9a-f]{12}$/),
  /** Where it served last; it is taken again when free, so that bookmarks and sessions last. */
  port: z.number().int().min(1).max(65_535).optional(),
  sessions: z.array(storedSchema).max(200),
})
type Stored = z.infer<typeof storedSchema>

/** What may be told of a session. */
export interface SessionInfo {
  id: string
  createdAt: number
  lastSeenAt: number
  agent: string
}

/**
 * Signed-in browsers, kept in `<home>/desk/sessions.json` (0600) as hashes. A damaged file counts as none: everybody signs in
 * anew. A session ends after 30 days without use. It has two secrets: the cookie, which no script can read but which a browser
 * sends to every port of the address, also to other programs', and the page's key, which only this port's page can read.
 */
export function createSessions({
  deskFolder,
  now,
  isInUse = () => false,
}: {
  deskFolder: string
  now: () => number
  /** Whether pages of a session are connected. */
  isInUse?: (id: string) => boolean
}) {
  const file = path.join(deskFolder, 'sessions.json')
  const kept = readDispensable(file, fileSchema) ?? {
    v: 1 as const,
    deskId: randomBytes(6).toString('hex'),
    sessions: [],
  }
  let { sessions, port } = kept
  let writtenAt = now()

  const text = () =>
    `${JSON.stringify({ ...kept, ...(port === undefined ? {} : { port }), sessions }, null, 2)}\n`

  /** When the disk does not take it, people are signed in until the desk ends; that is no reason for it to end now. */
  function save(): void {
    writtenAt = now()
    writeDispensable(file, text())
  }

  const isFresh = (one: Stored) => now() - one.lastSeenAt < IDLE_MS

  return {
    cookieName: `handoff_session_${kept.deskId}`,
    lastPort: port,

    /** Notes where it serves now. */
    servesAt(current: number): void {
      if (current === port) return
      port = current
      save()
    },

    /**
     * Makes a session; the only time its secrets are known. It takes the place of the one with the cookie `instead`: a page that was
     * reloaded before it had kept its key has half of a session, which nobody can use and which would only be listed. One with pages
     * that are connected stays: what cannot be seen in the list cannot be revoked.
     */
    create(agent: string, instead?: string): { secret: string; key: string } {
      const [secret, key] = [newSecret(), newSecret()]
      const at = now()
      const info = {
        id: randomBytes(6).toString('hex'),
        createdAt: at,
        lastSeenAt: at,
        agent: agent.slice(0, 300),
      }
      const isReplaced = (one: Stored) =>
        instead !== undefined && hasHash(instead, one.hash) && !isInUse(one.id)
      const others = sessions.filter((one) => !isReplaced(one))
      sessions = [...others.filter(isFresh), { ...info, hash: hashOf(secret), keyHash: hashOf(key) }]
        .sort((a, b) => a.lastSeenAt - b.lastSeenAt)
        .slice(-MAX_SESSIONS)
      save()
      return { secret, key }
    },

    /** The session that both secrets belong to, or undefined when it is unknown, revoked or too long unused. */
    find(secret: string, key: string): SessionInfo | undefined {
      const found = sessions.find((one) => hasHash(secret, one.hash) && hasHash(key, one.keyHash))
      return found !== undefined && isFresh(found) ? infoOf(found) : undefined
    },

    /** Notes that a session is in use. */
    seen(id: string): void {
      const found = sessions.find((one) => one.id === id)
      if (found === undefined) return
      found.lastSeenAt = now()
      if (now() - writtenAt >= SEEN_RESOLUTION_MS) save()
    },

    list: (): SessionInfo[] => sessions.filter(isFresh).map(infoOf),

    /** False when there is no such session. */
    revoke(id: string): boolean {
      const rest = sessions.filter((one) => one.id !== id)
      if (rest.length === sessions.length) return false
      sessions = rest
      // A session that is only thought to be gone would be back after a restart.
      writePrivateFile(file, text())
      return true
    },

    dispose: save,
  }
}

/** The signed-in browsers of one desk. */
export type Sessions = ReturnType<typeof createSessions>

function infoOf({ id, createdAt, lastSeenAt, agent }: Stored): SessionInfo {
  return { id, createdAt, lastSeenAt, agent }
}
