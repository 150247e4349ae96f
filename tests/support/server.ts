import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { CallContext, Handlers } from '../../agentd/server/call-context.ts'
import type { ServerLimits } from '../../agentd/server/limits.ts'
import { createPresence } from '../../agentd/server/presence.ts'
import { createServer } from '../../agentd/server/server.ts'
import { createTokens } from '../../agentd/server/tokens.ts'
import type { StoredEvent, StoredToken } from '../../agentd/store/store.ts'
import type { Task } from '../../shared/domain/task.ts'
import type { Ticket } from '../../shared/domain/ticket.ts'
import { AppError } from '../../shared/errors.ts'
import { calls, type CallName } from '../../shared/protocol.ts'

type Handler = (input: never, context: CallContext) => unknown

/** The durable pieces that the server reads, kept in memory, with `append` as the only way in. */
export function createMemoryStore() {
  const rows: StoredEvent[] = []
  const listeners = new Set<() => void>()
  const cursors = new Map<string, number>()
  const tokens = new Map<string, StoredToken>()
  const taskId = randomUUID()
  const state = {
    completeFromSeq: 1,
    tasks: [] as Task[],
    tickets: [] as Ticket[],
    broken: undefined as unknown,
  }
  const guard = () => {
    if (state.broken !== undefined) throw state.broken
  }
  return {
    state,
    cursorOf: cursors,
    rows,
    append(text = 'x', count = 1): void {
      for (let index = 0; index < count; index += 1) {
        const seq = rows.length + 1
        const event = { seq, taskId, at: Date.now(), type: 'progress', body: { kind: 'text', text } }
        rows.push({ seq, taskId, type: 'progress', json: JSON.stringify(event) })
      }
      for (const listener of listeners) listener()
    },
    feed: {
      onCommitted(listener: () => void) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    events: {
      after(seq: number, limit: number) {
        guard()
        return rows.slice(seq, seq + limit)
      },
      headSeq: () => rows.length,
      completeFromSeq: () => state.completeFromSeq,
    },
    cursors: {
      get(consumer: string) {
        const all = cursors.get(consumer)
        return all === undefined ? undefined : { all, tasks: new Map<string, number>() }
      },
      ack(consumer: string, seq: number) {
        guard()
        cursors.set(consumer, Math.max(seq, cursors.get(consumer) ?? 0))
      },
    },
    tasks: {
      open: () => state.tasks.filter((task) => task.endedAt === undefined),
      list({ limit, beforeId }: { limit: number; beforeId?: string }) {
        const ended = state.tasks.filter((task) => task.endedAt !== undefined)
        const start = beforeId === undefined ? 0 : ended.findIndex((task) => task.id === beforeId) + 1
        return ended.slice(start, start + limit)
      },
    },
    tickets: { open: () => state.tickets },
    tokens: {
      add: (token: StoredToken) => void tokens.set(token.id, token),
      byHash: (hash: Buffer) => [...tokens.values()].find((token) => token.hash.equals(hash)),
      list: () => [...tokens.values()],
      remove: (id: string) => void tokens.delete(id),
      used(id: string, at: number) {
        guard()
        const token = tokens.get(id)
        if (token !== undefined) tokens.set(id, { ...token, lastUsedAt: at })
      },
    },
  }
}

/** Handlers of which only the named ones do something; the others answer that they are not there. */
export function someHandlers(some: Partial<Record<CallName, Handler>>): Handlers {
  const missing: Handler = () => {
    throw new AppError({ code: 'bad_request', message: 'This test has no such handler.' })
  }
  const all = Object.keys(calls).map((name) => [name, some[name as CallName] ?? missing])
  return Object.fromEntries(all) as Handlers
}

/** A real server on a real socket in a temporary folder, with everything it needs. */
export async function startServer({
  handlers = {},
  limits = {},
  store = createMemoryStore(),
  socketPath: chosenPath,
  hostId = randomUUID(),
}: {
  handlers?: Partial<Record<CallName, Handler>>
  limits?: Partial<ServerLimits>
  store?: ReturnType<typeof createMemoryStore>
  socketPath?: string
  hostId?: string
} = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'handoff-server-'))
  const socketPath = chosenPath ?? path.join(folder, 'run', 'agentd.sock')
  const presence = createPresence()
  const tokens = createTokens({ store: store.tokens, closeConnections: presence.closeToken, now: Date.now })
  const logged: { level: string; fields: unknown; message: string }[] = []
  const write = (level: string) => (fields: unknown, message?: string) =>
    void logged.push({ level, fields, message: message ?? '' })
  const server = createServer({
    handlers: someHandlers(handlers),
    store,
    feed: store.feed,
    tokens,
    presence,
    host: { hostId, name: 'test', version: '0.0.0' },
    now: Date.now,
    log: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
    limits,
  })
  await server.listenUnix(socketPath)
  return {
    server,
    store,
    presence,
    tokens,
    logged,
    folder,
    socketPath,
    hostId,
    /** Options for `connectHost` and `createHostLink`. */
    client: {
      address: { kind: 'unix' as const, path: socketPath },
      clientId: 'tester',
      kind: 'test' as const,
      name: 'tester',
      version: '0.0.0',
    },
    async end(): Promise<void> {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
