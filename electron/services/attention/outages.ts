import type { KnownHost } from '../hosts/types.ts'
import type { Remembered } from './types.ts'

/**
 * Follows hosts over the tries to reach them: an outage begins with the first `offline` and ends when the host answers, or when
 * trying has ended for another reason. In between, a host that is just being tried is still away. `told`: outages that had
 * not ended when the desk was closed.
 */
export function createOutages(
  told: ReadonlyMap<string, number> = new Map(),
): (hosts: readonly KnownHost[]) => ReadonlyMap<string, number> {
  let since = new Map(told)
  return (hosts) => {
    const next = new Map<string, number>()
    for (const { name, state } of hosts) {
      const known = since.get(name)
      if (state.kind === 'offline') next.set(name, Math.min(known ?? state.since, state.since))
      else if (known !== undefined && (state.kind === 'connecting' || state.kind === 'starting'))
        next.set(name, known)
    }
    since = next
    return next
  }
}

/** The key of an outage. */
export function outageKey(host: string, since: number): string {
  return `host:${host}:${since}`
}

/** Outages that are shown, with when they began, by host. */
export function toldOutages(memory: ReadonlyMap<string, Remembered>): Map<string, number> {
  return new Map(
    [...memory].flatMap(([key, { state }]): [string, number][] => {
      const [, host, since] = /^host:(.+):(\d+)$/.exec(key) ?? []
      return state === 'shown' && host !== undefined ? [[host, Number(since)]] : []
    }),
  )
}
