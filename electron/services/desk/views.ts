import type { Counts, HostView } from '../../../shared/ipc/views.ts'
import type { Cache } from '../cache/types.ts'
import { unknownHost } from '../hosts/host-errors.ts'
import type { HostService, KnownHost } from '../hosts/types.ts'
import type { Outbox } from '../outbox/types.ts'

/** What windows see of the hosts and of all of them together. */
export interface HostViews {
  all(): HostView[]
  /** Throws `host_unknown`. */
  one(name: string): HostView
  counts(): Counts
}

/** Puts together what the hosts service, the cache and the outbox know. */
export function createHostViews({
  hosts,
  cache,
  outbox,
}: {
  hosts: Pick<HostService, 'list' | 'get'>
  cache: Pick<Cache, 'counts'>
  outbox: Pick<Outbox, 'list'>
}): HostViews {
  function view(known: KnownHost): HostView {
    const { name, isLocal, address, state, hostId, machine, version, role } = known
    const { open, needsYou } = cache.counts(name)
    return {
      name,
      isLocal,
      address,
      state,
      ...(hostId === undefined ? {} : { hostId }),
      ...(machine === undefined ? {} : { machine }),
      ...(version === undefined ? {} : { version }),
      ...(role === undefined ? {} : { role }),
      openTasks: open,
      needsYou,
    }
  }

  return {
    all: () => hosts.list().slice(0, 200).map(view),
    one(name) {
      const known = hosts.get(name)
      if (known !== undefined) return view(known)
      throw unknownHost(name)
    },
    counts() {
      const sum = { needsYou: 0, reviewer: 0, toReview: 0, offline: 0, running: 0 }
      for (const { name } of hosts.list()) {
        const counts = cache.counts(name)
        for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += counts[key]
      }
      return { ...sum, outbox: outbox.list().length }
    },
  }
}
