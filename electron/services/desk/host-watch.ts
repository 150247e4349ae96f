import type { HostService } from '../hosts/types.ts'

/** What is done when hosts come and go. */
export interface HostWatchNeeds {
  hosts: Pick<HostService, 'list' | 'get' | 'onChange'>
  onChange: (host: string) => void
  /** A host has become live: connected, and every event up to its newest is kept. */
  onLive: (host: string) => void
  /** A host is not in the list any more. */
  onGone: (host: string) => void
}

/** Follows the hosts' states; answers how to stop. A host that is live already is told at once. */
export function watchHosts({ hosts, onChange, onLive, onGone }: HostWatchNeeds): () => void {
  const live = new Set<string>()
  const known = new Set<string>()
  function look(host: string): void {
    const found = hosts.get(host)
    if (found === undefined) {
      live.delete(host)
      if (known.delete(host)) onGone(host)
      return
    }
    known.add(host)
    if (found.state.kind !== 'live') live.delete(host)
    else if (!live.has(host)) {
      live.add(host)
      onLive(host)
    }
  }
  const stop = hosts.onChange((host) => {
    look(host)
    onChange(host)
  })
  for (const { name } of hosts.list()) look(name)
  return stop
}
