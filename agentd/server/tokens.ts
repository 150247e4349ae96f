import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Role } from '../../shared/domain/actor.ts'
import { AppError } from '../../shared/errors.ts'
import type { Store, StoredToken } from '../store/store.ts'

const PREFIX = 'hnd_'
const NO_HASH = Buffer.alloc(32)
/** `lastUsedAt` is for people to read; writing it at every connect would cost a disk flush each time. */
const USED_RESOLUTION_MS = 60_000

/** What may be told about a token; never the token and never its hash. */
export interface TokenInfo {
  id: string
  name: string
  role: Role
  createdAt: number
  lastUsedAt?: number
}

/**
 * Tokens for connections that the file system does not vouch for. Only the sha256 is kept: a token has 256 random bits,
 * so nothing slower is needed to keep it from being guessed.
 */
export function createTokens({
  store,
  closeConnections,
  now,
}: {
  store: Store['tokens']
  /** Ends the live connections of a token and says how many there were (`presence.closeToken`). */
  closeConnections: (tokenId: string) => number
  now: () => number
}) {
  return {
    /** Makes a token; the only time its text is known. */
    create({ name, role }: { name: string; role: Role }): { token: string; info: TokenInfo } {
      const token = PREFIX + randomBytes(32).toString('base64url')
      const stored: StoredToken = {
        id: randomUUID().slice(0, 8),
        name,
        role,
        hash: hashOf(token),
        createdAt: now(),
        lastUsedAt: undefined,
      }
      store.add(stored)
      return { token, info: infoOf(stored) }
    },

    /** The token's record, or undefined. Takes the same steps for a token that is unknown, malformed or empty. */
    verify(token: string): StoredToken | undefined {
      const hash = hashOf(token)
      const found = store.byHash(hash)
      return timingSafeEqual(found?.hash ?? NO_HASH, hash) ? found : undefined
    },

    /** Notes that the token let somebody in. */
    used(token: StoredToken): void {
      if (token.lastUsedAt === undefined || now() - token.lastUsedAt >= USED_RESOLUTION_MS)
        store.used(token.id, now())
    },

    list(): TokenInfo[] {
      return store.list().map(infoOf)
    },

    /** Removes a token by id or by a name that only one has, and ends its connections at once. */
    revoke(idOrName: string): { info: TokenInfo; closedConnections: number } {
      const all = store.list()
      const named = all.filter((token) => token.name === idOrName)
      const token =
        all.find((candidate) => candidate.id === idOrName) ?? (named.length === 1 ? named[0] : undefined)
      if (token === undefined)
        throw new AppError({
          code: 'token_not_found',
          message:
            named.length > 1 ? `${named.length} tokens are called “${idOrName}”.` : 'There is no such token.',
          hint: 'See `handoff agentd token list` and name the token by its id.',
        })
      store.remove(token.id)
      return { info: infoOf(token), closedConnections: closeConnections(token.id) }
    },
  }
}

/** The tokens of a host. */
export type Tokens = ReturnType<typeof createTokens>

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function infoOf({ id, name, role, createdAt, lastUsedAt }: StoredToken): TokenInfo {
  return { id, name, role, createdAt, ...(lastUsedAt === undefined ? {} : { lastUsedAt }) }
}
