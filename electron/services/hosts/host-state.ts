import { toWireError, type AppError } from '../../../shared/errors.ts'
import type { HostState } from '../../../shared/ipc/views.ts'
import type { SnapshotPart } from '../../../shared/node/host-client/snapshot-reader.ts'

/** What is known of one host's connection at a moment. Times are ms since the epoch. */
export interface HostSituation {
  phase: 'starting' | 'connecting' | 'connected' | 'waiting' | 'stopped'
  /** The person has asked for this try, so that it is shown although others have failed. */
  asked: boolean
  /** Why the last try or connection ended. */
  error: AppError | undefined
  /** When the host was lost, or the first try failed; kept until it is live again. */
  lostAt: number | undefined
  retryAt: number | undefined
  /** The newest event at the host when it let the desk in, and the newest that is kept here. */
  headSeq: number
  appliedSeq: number | undefined
  liveSince: number | undefined
  /** How many tasks and tickets of a snapshot have come, while one is coming. */
  received: number | undefined
}

/** A host that is about to be tried for the first time. */
export const firstSituation: HostSituation = {
  phase: 'connecting',
  asked: false,
  error: undefined,
  lostAt: undefined,
  retryAt: undefined,
  headSeq: 0,
  appliedSeq: undefined,
  liveSince: undefined,
  received: undefined,
}

/** What is known of one host's connection, as it changes. */
export interface Situation {
  now(): HostSituation
  state(): HostState
  change(patch: Partial<HostSituation>): void
  /** Since when the host is lost, if it is lost at this moment. */
  lostAt(): number
}

/** Begins with a first try. `onChange` hears when people see another state. */
export function createSituation(onChange: () => void): Situation {
  let now = firstSituation
  return {
    now: () => now,
    state: () => hostStateOf(now),
    change(patch) {
      const before = JSON.stringify(hostStateOf(now))
      now = settled({ ...now, ...patch })
      if (JSON.stringify(hostStateOf(now)) !== before) onChange()
    },
    lostAt: () => now.lostAt ?? Date.now(),
  }
}

/** Connected with nothing owed any more: live from now on, and the next loss begins a new count. */
function settled(situation: HostSituation): HostSituation {
  const { phase, liveSince, appliedSeq, headSeq } = situation
  if (phase !== 'connected' || liveSince !== undefined) return situation
  if (appliedSeq === undefined || appliedSeq < headSeq) return situation
  return { ...situation, liveSince: Date.now(), lostAt: undefined, error: undefined, asked: false }
}

/** The state of a host as people see it. `live` only with everything up to the newest event at hand. */
export function hostStateOf(situation: HostSituation): HostState {
  const { phase, error, lostAt, retryAt, headSeq, appliedSeq, liveSince, asked, received } = situation
  if (phase === 'connected') {
    const behind = appliedSeq === undefined ? headSeq : Math.max(0, headSeq - appliedSeq)
    if (behind > 0 || appliedSeq === undefined || liveSince === undefined)
      return { kind: 'catching_up', behind, ...(received === undefined ? {} : { received }) }
    return { kind: 'live', since: liveSince }
  }
  if (error === undefined || lostAt === undefined || (asked && phase !== 'waiting' && phase !== 'stopped'))
    return { kind: phase === 'starting' ? 'starting' : 'connecting' }
  const ended = { since: lostAt, error: toWireError(error) }
  if (phase === 'stopped' && error.code === 'protocol_mismatch')
    return { kind: 'version', which: whichSide(error), ...ended }
  if (phase === 'stopped') return { kind: 'refused', ...ended }
  // A start takes seconds and is worth seeing; a try in between is not.
  if (phase === 'starting') return { kind: 'starting' }
  return { kind: 'offline', ...ended, ...(phase === 'waiting' && retryAt !== undefined ? { retryAt } : {}) }
}

/** What a part of a snapshot changes: until all of it is here, nothing counts as known. */
export function afterPart(
  { received = 0 }: Pick<HostSituation, 'received'>,
  { first, tasks, tickets }: SnapshotPart,
): Pick<HostSituation, 'appliedSeq' | 'received'> {
  return { appliedSeq: undefined, received: (first ? 0 : received) + tasks.length + tickets.length }
}

/** Which side speaks the older protocol, as far as the host said. */
function whichSide({ details }: AppError): 'host_older' | 'host_newer' | 'unknown' {
  const host = details?.['host']
  const client = details?.['client']
  if (typeof host !== 'number' || typeof client !== 'number' || host === client) return 'unknown'
  return host < client ? 'host_older' : 'host_newer'
}
