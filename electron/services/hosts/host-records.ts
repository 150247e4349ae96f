import path from 'node:path'
import { z } from 'zod'
import { readDispensable, writePrivateFile } from '../../../shared/node/private-file.ts'

const recordSchema = z.object({
  /** How the host was reached; under another address the name means another host. */
  address: z.string().max(4_096),
  hostId: z.string().max(64).optional(),
  machine: z.string().max(255).optional(),
  version: z.string().max(64).optional(),
  /**
   * `wanted`: the person added the host here, so the first connection makes a token for them. `revoked`: the token was
   * taken back on the host; another one is made only when the person asks for it.
   */
  pairing: z.enum(['none', 'wanted', 'paired', 'revoked']).default('none'),
  /** The id of the token at the host, so that it can be revoked there. */
  tokenId: z.string().max(64).optional(),
  /** While a pairing is under way: the tokens with the desk's name that were there before. One that came since is left over. */
  before: z.array(z.string().max(64)).max(1_000).optional(),
})
/** What the desk remembers of a host beside its cache. */
export type HostRecord = z.infer<typeof recordSchema>

const fileSchema = z.object({ v: z.literal(1), hosts: z.record(z.string().max(63), recordSchema) })

/** What the desk knows of its hosts over restarts. */
export interface HostRecords {
  /** The record of a name at an address; a new one when there was none, or when the name was used for another address. */
  get(name: string, address: string): HostRecord
  change(name: string, address: string, patch: Partial<HostRecord>): HostRecord
  remove(name: string): HostRecord | undefined
}

/** Keeps records in `<home>/desk/hosts.json`. A damaged file counts as none: hosts then introduce themselves anew. */
export function createHostRecords(homeRoot: string): HostRecords {
  const file = path.join(homeRoot, 'desk', 'hosts.json')
  const hosts = new Map(Object.entries(readDispensable(file, fileSchema)?.hosts ?? {}))
  const save = () => writePrivateFile(file, JSON.stringify({ v: 1, hosts: Object.fromEntries(hosts) }))

  function get(name: string, address: string): HostRecord {
    const kept = hosts.get(name)
    return kept?.address === address ? kept : { address, pairing: 'none' }
  }
  return {
    get,
    change(name, address, patch) {
      const before = get(name, address)
      const after = { ...before, ...patch }
      if (hosts.has(name) && JSON.stringify(before) === JSON.stringify(after)) return before
      hosts.set(name, after)
      save()
      return after
    },
    remove(name) {
      const kept = hosts.get(name)
      if (hosts.delete(name)) save()
      return kept
    },
  }
}
