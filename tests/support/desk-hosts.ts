import type { HostConnection } from '../../shared/node/host-client/connection.ts'
import type { Call, CallOptions } from '../../shared/node/host-client/pending-calls.ts'
import { AppError } from '../../shared/errors.ts'
import type { CallInput, CallName, CallOutput } from '../../shared/protocol.ts'
import type { HostService, KnownHost } from '../../electron/services/hosts/types.ts'

type Answers = {
  [N in CallName]?: (input: CallInput<N>, options: CallOptions) => CallOutput<N> | Promise<CallOutput<N>>
}

/** One host that a test plays. */
export interface PlayedHost {
  role?: KnownHost['role']
  address?: string
  answers?: Answers
}

/** Hosts that a test plays by hand: calls are answered by functions, and a host can be taken away and brought back. */
export function createPlayedHosts(played: Record<string, PlayedHost>) {
  const away = new Set<string>()
  const listeners = new Set<(host: string) => void>()
  const asked: { host: string; name: CallName; input: unknown }[] = []
  const unplayed = (): never => {
    throw new Error('this part of the hosts is not played')
  }
  const lost = (): AppError => new AppError({ code: 'connection_lost', message: 'The connection broke.' })

  const callOf =
    (host: string): Call =>
    async (name, input, options = {}) => {
      asked.push({ host, name, input })
      if (away.has(host)) throw lost()
      const answer = played[host]?.answers?.[name]
      if (answer === undefined) throw new AppError({ code: 'unknown_call', message: `${name} is not played` })
      return (await answer(input as never, options)) as CallOutput<typeof name>
    }

  const get = (name: string): KnownHost | undefined => {
    const host = played[name]
    if (host === undefined) return undefined
    return {
      name,
      isLocal: name === 'local',
      address: host.address ?? (name === 'local' ? 'local' : `ssh://${name}`),
      state: away.has(name)
        ? { kind: 'offline', since: 1, error: { code: 'host_unreachable', message: 'It is away.' } }
        : { kind: 'live', since: 1 },
      role: host.role ?? 'user',
    }
  }

  const hosts: HostService = {
    list: () => Object.keys(played).flatMap((name) => get(name) ?? []),
    get,
    call: callOf,
    connection: (host) =>
      played[host] === undefined || away.has(host)
        ? undefined
        : ({ call: callOf(host) } as unknown as HostConnection),
    whenLive: (host) => (away.has(host) ? Promise.reject(lost()) : Promise.resolve()),
    add: unplayed,
    remove: unplayed,
    setToken: unplayed,
    pair: unplayed,
    wake: unplayed,
    hold: unplayed,
    resync: unplayed,
    reload: unplayed,
    attachArgv: unplayed,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onNotice: () => () => undefined,
    dispose: () => Promise.resolve(),
  }
  return {
    hosts,
    /** Every call so far. */
    asked,
    takeAway(host: string): void {
      away.add(host)
      for (const listener of listeners) listener(host)
    },
    bringBack(host: string): void {
      away.delete(host)
      for (const listener of listeners) listener(host)
    },
    lost,
  }
}
