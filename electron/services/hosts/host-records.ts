import path from 'node:path'
import { z } from 'zod'
import { readDispensable, writePrivateFile } from '../../../shared/node/private-file.ts'

/** What a desk knows of the token that it made itself. */
const ownTokenSchema = z.object({
  /** The id of the token at the host, so that it can be revoked there. */
  id: z.string().max(64).optional(),
  /** While a pairing is under way: the tokens with the desk's name that were there before. One that came since is left over. */
  before: z.array(z.string().max(64)).max(1_000).optional(),
})

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
  /** The app and the browser shell may run on one home. Each keeps its tokens in its own place, so each makes its own. */
  tokens: z.partialRecord(z.enum(['electron', 'browser']), ownTokenSchema).default({}),
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
  /** Whether another name stands for the same machine. */
  hasOther(name: string, hostId: string): boolean
}

/**
 * Keeps records in `<home>/desk/hosts.json`. A damaged file counts as none: hosts then introduce themselves anew. Another desk of
 * this home (the app beside the browser shell) writes the same file, so it is read anew each time.
 */
export function createHostRecords(homeRoot: string): HostRecords {
  const file = path.join(homeRoot, 'desk', 'hosts.json')
  let hosts = new Map<string, HostRecord>()
  let onDisk: string | undefined

  function all(): Map<string, HostRecord> {
    const kept = readDispensable(file, fileSchema)
    const now = JSON.stringify(kept)
    // What is known stays when somebody has taken the file away or damaged it, or when it could not be written.
    if (kept === undefined || now === onDisk) return hosts
    onDisk = now
    hosts = new Map(Object.entries(kept.hosts))
    return hosts
  }

  function save(): void {
    writePrivateFile(file, JSON.stringify({ v: 1, hosts: Object.fromEntries(hosts) }))
    onDisk = JSON.stringify(readDispensable(file, fileSchema))
  }

  function get(name: string, address: string): HostRecord {
    const kept = all().get(name)
    return kept?.address === address ? kept : { address, pairing: 'none', tokens: {} }
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
      const kept = all().get(name)
      if (hosts.delete(name)) save()
      return kept
    },
    hasOther: (name, hostId) => [...all()].some(([other, one]) => other !== name && one.hostId === hostId),
  }
}
