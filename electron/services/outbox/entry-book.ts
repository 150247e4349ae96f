import type { WireError } from '../../../shared/errors.ts'
import type { Decision, OutboxEntry } from '../../../shared/ipc/work-calls.ts'
import { createListeners } from '../../../shared/listeners.ts'
import type { Cache } from '../cache/types.ts'
import { viewOf, type Ending, type Entry } from './entries.ts'
import type { EntryStore } from './entry-store.ts'
import { onItsWay, takenBack, tooMany } from './refusals.ts'
import type { Waiters } from './waiters.ts'

const MAX_PENDING = 1_000

/** What the book needs. */
export interface EntryBookNeeds {
  /** Opens the file; `held` answers what the book knows, for a file that has to be begun anew. */
  openStore: (held: () => Iterable<Entry>) => EntryStore
  cache: Pick<Cache, 'ticket'>
  waiters: Waiters
  now: () => number
}

/**
 * The entries that have not ended, in memory and in desk.db alike. What other desks of the same home have done since is taken
 * over by `look`; an entry that they ended is told to whoever waits for it here.
 */
export function createEntryBook({ openStore, cache, waiters, now }: EntryBookNeeds) {
  const pending = new Map<string, Entry>()
  /** What this desk is sending at this moment; nobody else changes it. */
  const sending = new Set<string>()
  const changed = createListeners<[host: string]>()
  const ended = createListeners<[entry: OutboxEntry, decision: Decision]>()
  const inOrder = (): Entry[] => [...pending.values()].sort((a, b) => a.seq - b.seq)
  const store = openStore(inOrder)

  function put(entry: Entry): void {
    pending.set(entry.id, entry)
    changed.tell(entry.host)
  }

  /** To whoever waits for it, else to everybody. */
  function tellDecision(entry: Entry, decision: Decision): void {
    const { error: _, ...view } = viewOf(entry)
    if (!waiters.settle(entry.id, (waiter) => waiter.resolve(decision))) ended.tell(view, decision)
  }

  /** Another desk has ended it: sent it or taken it back. */
  function tellEnd(entry: Entry): void {
    const kind = store.outcome(entry.id)
    const ticket = entry.ticketId === undefined ? undefined : cache.ticket(entry.host, entry.ticketId)
    if ((kind === 'applied' || kind === 'already_answered' || kind === 'expired') && ticket !== undefined)
      tellDecision(entry, { kind, ticket })
    else waiters.settle(entry.id, (waiter) => waiter.reject(takenBack()))
  }

  function finish(entry: Entry, as: Ending, error?: WireError): void {
    pending.delete(entry.id)
    store.finish(entry.id, { as, at: now(), error })
    changed.tell(entry.host)
  }

  /** Takes over what other desks have done since; answers which hosts something waits for, if anything has changed. */
  function look(): string[] {
    const kept = store.look()
    if (kept === undefined) return []
    const there = new Set(kept.map(({ id }) => id))
    const touched = new Set<string>()
    for (const entry of kept) {
      if (sending.has(entry.id) || isSame(pending.get(entry.id), entry)) continue
      pending.set(entry.id, entry)
      touched.add(entry.host)
    }
    const gone = [...pending.values()].filter(({ id }) => !there.has(id) && !sending.has(id))
    for (const entry of gone) {
      pending.delete(entry.id)
      touched.add(entry.host)
    }
    for (const host of touched) changed.tell(host)
    for (const entry of gone) tellEnd(entry)
    return kept.flatMap(({ host, state }) => (state === 'queued' ? [host] : []))
  }

  return {
    look,
    inOrder,
    finish,
    tellDecision,
    get: (id: string) => pending.get(id),
    of: (host: string, ticketId: string) =>
      [...pending.values()].find((one) => one.host === host && one.ticketId === ticketId),
    ofTask: (host: string, taskId: string) =>
      inOrder().filter((one) => one.host === host && one.taskId === taskId),
    /** Keeps a new entry, in the place of ones to the same thing that have failed. Throws when there is one on its way. */
    add(entry: Omit<Entry, 'seq'>): Entry {
      const replaced: Entry[] = []
      const added = store.add(entry, (others) => replaced.push(...refuseSecond(entry, others)))
      for (const old of replaced) finish(old, 'replaced', old.error)
      put(added)
      return added
    },
    save(entry: Entry): void {
      put(entry)
      store.save(entry)
    },
    /** Makes this desk the one that sends it; false when another one is at it, has sent it or has taken it back. */
    claim(entry: Entry): boolean {
      const outcome = store.claim(entry)
      if (outcome === 'ours') return true
      if (outcome === 'elsewhere') pending.set(entry.id, entry)
      else {
        pending.delete(entry.id)
        tellEnd(entry)
      }
      changed.tell(entry.host)
      return false
    },
    /** While `work` runs, what the file says of the entry is not taken over. */
    async whileSending<T>(entry: Entry, work: () => Promise<T>): Promise<T> {
      sending.add(entry.id)
      put(entry)
      try {
        return await work()
      } finally {
        sending.delete(entry.id)
      }
    },
    /** Ends an entry that is not being sent; false when it is, or has ended. */
    takeBack(id: string): boolean {
      const entry = pending.get(id)
      if (!entry || entry.state === 'sending' || !store.takeBack(id, now())) return false
      pending.delete(id)
      changed.tell(entry.host)
      waiters.settle(id, (waiter) => waiter.reject(takenBack()))
      return true
    },
    check: store.check,
    onChange: changed.add,
    onOutcome: ended.add,
    dispose: store.dispose,
  }
}

/** The entries that have not ended. */
export type EntryBook = ReturnType<typeof createEntryBook>

/** Refuses a second answer to the same thing; answers which failed ones it takes the place of. */
function refuseSecond(
  { host, taskId, ticketId, kind }: Pick<Entry, 'host' | 'taskId' | 'ticketId' | 'kind'>,
  pending: readonly Entry[],
): Entry[] {
  const same = pending.filter(
    (one) =>
      one.host === host &&
      one.taskId === taskId &&
      (one.ticketId === ticketId || (kind === 'continue' && one.kind === kind)),
  )
  const waiting = same.find(({ state }) => state !== 'failed')
  if (waiting) throw onItsWay(waiting)
  if (pending.length - same.length >= MAX_PENDING) throw tooMany(MAX_PENDING)
  return same
}

function isSame(one: Entry | undefined, other: Entry): boolean {
  const told = (entry: Entry) => JSON.stringify([viewOf(entry), entry.attempts])
  return one !== undefined && told(one) === told(other)
}
