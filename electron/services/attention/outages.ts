import type { KnownHost } from '../hosts/types.ts'

/**
 * Follows hosts over the tries to reach them: an outage begins with the first `offline` and ends when the host answers, or when
 * trying has ended for another reason. In between, a host that is just being tried is still away.
 */
export function createOutages(): (hosts: readonly KnownHost[]) => ReadonlyMap<string, number> {
  let since = new Map<string, number>()
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
