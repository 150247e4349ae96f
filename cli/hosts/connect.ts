import type { ClientKind } from '../../shared/domain/actor.ts'
import { AppError } from '../../shared/errors.ts'
import type { WireEvent } from '../../shared/protocol/records.ts'
import { parseHostAddress, type HostAddress } from '../../shared/node/host-client/address.ts'
import {
  connectHost,
  type CloseReason,
  type ConnectOptions,
  type Notice,
  type Resume,
} from '../../shared/node/host-client/connection.ts'
import type { Snapshot } from '../../shared/node/host-client/snapshot-reader.ts'
import type { HostClient } from './host-client.ts'
import type { HostStore } from '../../shared/node/hosts/host-store.ts'
import { sshOptions } from '../../shared/node/hosts/ssh-options.ts'
import { startAgentd, type StartOutcome } from '../../shared/node/hosts/start-agentd.ts'

/** What a connection that also listens hears. */
export interface Listening {
  resume: Resume
  onEvents(events: WireEvent[]): void
  onSnapshot(snapshot: Snapshot): void
}

/** A connection that tells when it ended. */
export type LiveClient = HostClient & { closed: Promise<CloseReason> }

/** The ways in which commands reach agentds. */
export interface Connector {
  /** A connection to a host by name; agentd of this machine is started when it is not running. */
  open(
    host: string,
    options?: {
      signal?: AbortSignal | undefined
      listen?: Listening
      token?: string
      kind?: ClientKind
      clientId?: string
      onNotice?: (notice: Notice) => void
    },
  ): Promise<LiveClient>
  /** A connection to this machine's agentd if it runs. */
  openRunning(): Promise<LiveClient | undefined>
  /** Starts this machine's agentd; `already` when it ran before. */
  start(): Promise<StartOutcome>
}

/** Makes connections as one client of one home. */
export function createConnector({
  home,
  socketPath,
  store,
  clientId,
  name,
  version,
  agentdScript,
  env,
  onStarted,
}: {
  home: string
  socketPath: string
  store: HostStore
  clientId: string
  name: string
  version: string
  agentdScript: string
  env: NodeJS.ProcessEnv
  /** agentd was started by the way. */
  onStarted: () => void
}): Connector {
  const base = { localSocketPath: socketPath, clientId, kind: 'cli' as const, name, version }
  const connectLocal = (extra: Partial<ConnectOptions>) =>
    connect({ ...base, address: { kind: 'local' }, ...extra })
  const openRunning = async (extra: Partial<ConnectOptions> = {}) => {
    try {
      return await connectLocal(extra)
    } catch (error) {
      if (isNotRunning(error)) return undefined
      throw error
    }
  }
  const isUp = async () => {
    const client = await openRunning()
    await client?.close()
    return client !== undefined
  }
  const start = async (): Promise<StartOutcome> =>
    (await isUp()) ? { kind: 'already' } : startAgentd({ home, script: agentdScript, env, isUp })
  const openLocal = async (extra: Partial<ConnectOptions>): Promise<LiveClient> => {
    const running = await openRunning(extra)
    if (running !== undefined) return running
    if ((await start()).kind === 'ready') onStarted()
    return connectLocal(extra)
  }
  return {
    start,
    openRunning: () => openRunning(),
    open(host, { signal, listen, token, kind, clientId: otherId, onNotice } = {}) {
      const extra: Partial<ConnectOptions> = {
        ...(listen === undefined ? {} : listen),
        ...(onNotice === undefined ? {} : { onNotice }),
        ...(kind === undefined ? {} : { kind }),
        ...(otherId === undefined ? {} : { clientId: otherId }),
        ...(signal === undefined ? {} : { signal }),
      }
      if (host === 'local') return openLocal({ ...extra, ...(token === undefined ? {} : { token }) })
      const stored = store.get(host)
      const shown = token ?? store.token(host)
      return connect({
        ...base,
        address: parseHostAddress(stored.address),
        ssh: sshOptions(stored),
        ...extra,
        ...(shown === undefined ? {} : { token: shown }),
      })
    },
  }
}

/** The address of a host by name. */
export function addressOf(store: HostStore, host: string): HostAddress {
  return host === 'local' ? { kind: 'local' } : parseHostAddress(store.get(host).address)
}

async function connect(options: ConnectOptions): Promise<LiveClient> {
  const connection = await connectHost(options)
  return {
    welcome: connection.welcome,
    call: connection.call,
    closed: connection.closed,
    async close() {
      connection.close()
      await connection.closed
    },
  }
}

function isNotRunning(error: unknown): boolean {
  if (!(error instanceof AppError)) return false
  if (error.code === 'agentd_not_running') return true
  const cause = error.cause
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return error.code === 'host_unreachable' && (code === 'ENOENT' || code === 'ECONNREFUSED')
}
