import { randomUUID } from 'node:crypto'
import { uptime } from 'node:os'
import type { Answer, Ask } from '../../../shared/domain/ticket.ts'
import { taskIdOf } from '../../../shared/domain/ticket-id.ts'
import { fromWireError, type AppError, type WireError } from '../../../shared/errors.ts'
import type { Decision, OutboxEntry } from '../../../shared/ipc/work-calls.ts'
import { askDigest } from '../../../shared/node/ask-digest.ts'
import { backoffMs, type BackoffLimits } from '../../../shared/node/host-client/backoff.ts'
import { createListeners } from '../../../shared/listeners.ts'
import { viewOf, type Claimant, type Ending, type Entry } from './entries.ts'
import { createEntryStore } from './entry-store.ts'
import { createLanes } from './lanes.ts'
import { onItsWay, reviewIsNoTicket, takenBack, tooMany } from './refusals.ts'
import { sendEntry, type Sent, type SendingNeeds } from './sending.ts'
import type { Outbox } from './types.ts'
import { watchDatabase } from './watch-database.ts'

/** What an outbox needs. */
export interface OutboxOptions extends Pick<SendingNeeds, 'hosts' | 'cache'> {
  /** desk.db. */
  path: string
  /** Something about the file that a person should know; the outbox goes on as well as it can. */
  onProblem?: ((problem: AppError) => void) | undefined
  /** Hears whether answers are kept over a restart, each time the file is opened; if not, why. */
  onKept?: ((why: AppError | undefined) => void) | undefined
  now?: (() => number) | undefined
  /** From 0 to 1; spreads the retries. */
  random?: (() => number) | undefined
  /** How long whoever gave an answer waits to hear of it; after that it is on its way, and its outcome is told when it is known. */
  patienceMs?: number | undefined
  /** How long a host may take to answer before the answer counts as not arrived. */
  timeoutMs?: number | undefined
  retry?: BackoffLimits | undefined
  /** Whether another desk of this home, which says that it is sending something, still runs. */
  isAlive?: Claimant['isAlive'] | undefined
  /** Only tests change it: the most pages that the file may have. */
  maxPages?: number | undefined
}

const MAX_PENDING = 1_000

/** The person who gave an answer and waits to hear what became of it. */
interface Waiter {
  resolve(decision: Decision): void
  reject(error: AppError): void
  timer: NodeJS.Timeout
}

/**
 * Opens the outbox. What was left from before is sent when `flush` is called for its host. Other desks of the same home share the
 * file: what one of them keeps, sends or takes back is seen here, and an entry is sent by one of them at a time.
 */
export function createOutbox(options: OutboxOptions): Outbox {
  const { hosts, cache, path, now = Date.now, random = Math.random, timeoutMs = 30_000 } = options
  const { retry = { firstMs: 1_000, maxMs: 60_000 }, patienceMs = 5_000 } = options
  const pending = new Map<string, Entry>()
  const waiters = new Map<string, Waiter>()
  const retries = new Map<string, { timer: NodeJS.Timeout; count: number }>()
  const changed = createListeners<[host: string]>()
  const ended = createListeners<[entry: OutboxEntry, decision: Decision]>()
  const closing = new AbortController()
  const lanes = createLanes({ atOnce: 8 })
  const needs: SendingNeeds = { hosts, cache, now, timeoutMs }
  /** What this desk is sending at this moment. */
  const sending = new Set<string>()
  const store = openStore(options, inOrder)
  look()
  const stopWatching = watchDatabase(path, look)

  function inOrder(): Entry[] {
    return [...pending.values()].sort((a, b) => a.seq - b.seq)
  }
  const ofTask = (host: string, taskId: string) =>
    inOrder().filter((one) => one.host === host && one.taskId === taskId)
  const isConnected = (host: string) => {
    const kind = hosts.get(host)?.state.kind
    return kind === 'live' || kind === 'catching_up'
  }

  /** Takes over what other desks have done since. */
  function look(): void {
    if (closing.signal.aborted) return
    const kept = store.look()
    if (kept === undefined) return
    const there = new Map(kept.map((entry) => [entry.id, entry]))
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
    // Whoever kept it may be unable to reach the host, or may have ended.
    for (const { host, state } of kept) if (state === 'queued' && !retries.has(host)) retryLater(host)
  }

  /** Another desk has ended it: sent it or taken it back. */
  function tellEnd(entry: Entry): void {
    const kind = store.outcome(entry.id)
    const ticket = entry.ticketId === undefined ? undefined : cache.ticket(entry.host, entry.ticketId)
    if ((kind === 'applied' || kind === 'already_answered' || kind === 'expired') && ticket !== undefined) {
      const decision: Decision = { kind, ticket }
      const { error: _, ...view } = viewOf(entry)
      if (!settle(entry.id, (waiter) => waiter.resolve(decision))) ended.tell(view, decision)
    } else settle(entry.id, (waiter) => waiter.reject(takenBack()))
  }

  function save(entry: Entry): void {
    pending.set(entry.id, entry)
    store.save(entry)
    changed.tell(entry.host)
  }

  function finish(entry: Entry, as: Ending, error?: WireError): void {
    pending.delete(entry.id)
    store.finish(entry.id, { as, at: now(), error })
    changed.tell(entry.host)
  }

  function submit(
    entry: Omit<
      Entry,
      'seq' | 'id' | 'requestId' | 'hostId' | 'createdAt' | 'state' | 'attempts' | 'error' | 'triedAt'
    >,
  ) {
    look()
    const { host } = entry
    const hostId = hosts.get(host)?.hostId ?? cache.hostId(host)
    const replaced: Entry[] = []
    const added = store.add(
      {
        ...entry,
        hostId,
        id: randomUUID(),
        requestId: randomUUID(),
        createdAt: now(),
        state: 'queued',
        attempts: 0,
        error: undefined,
      },
      (others) => replaced.push(...refuseSecond(entry, others)),
    )
    for (const old of replaced) finish(old, 'replaced', old.error)
    pending.set(added.id, added)
    changed.tell(host)
    if (!isConnected(host)) return Promise.resolve<Decision>({ kind: 'queued', entry: viewOf(added) })
    return new Promise<Decision>((resolve, reject) => {
      const timer = setTimeout(() => {
        const entry = pending.get(added.id) ?? added
        settle(added.id, (waiter) => waiter.resolve({ kind: 'queued', entry: viewOf(entry) }))
      }, patienceMs)
      waiters.set(added.id, { resolve, reject, timer })
      drain(host, added.taskId)
    })
  }

  /** Sends what waits of one task, in order, until something has to wait. */
  function drain(host: string, taskId: string): void {
    void lanes.run(`${host}/${taskId}`, async () => {
      look()
      const ids = ofTask(host, taskId).map(({ id }) => id)
      for (const id of ids) {
        const entry = pending.get(id)
        // Another desk is at it: what follows waits for that.
        if (entry?.state === 'sending') break
        // Taken back, or at its end, since the list was made.
        if (entry?.state !== 'queued') continue
        if (closing.signal.aborted || !isConnected(host) || !(await sendOne(entry))) break
      }
      for (const id of ids) {
        const entry = pending.get(id)
        if (entry) settle(id, (waiter) => waiter.resolve({ kind: 'queued', entry: viewOf(entry) }))
      }
    })
  }

  /** Makes this desk the one that sends it; false when another one is at it, has sent it or has taken it back. */
  function claim(entry: Entry): boolean {
    const outcome = store.claim(entry)
    if (outcome === 'ours') return true
    if (outcome === 'elsewhere') pending.set(entry.id, entry)
    else {
      pending.delete(entry.id)
      tellEnd(entry)
    }
    changed.tell(entry.host)
    return false
  }

  async function sendOne(queued: Entry): Promise<boolean> {
    const { attempts, triedAt = now() } = queued
    const claimed: Entry = { ...queued, state: 'sending', attempts: attempts + 1, triedAt }
    if (!claim(claimed)) return !pending.has(queued.id)
    // Whether it was tried before this time decides whether it may be too old to repeat.
    const entry: Entry = { ...claimed, triedAt: queued.triedAt }
    pending.set(entry.id, entry)
    sending.add(entry.id)
    changed.tell(entry.host)
    const sent = await sendEntry(needs, entry, closing.signal)
    sending.delete(entry.id)
    conclude({ ...entry, triedAt }, sent)
    return sent.kind !== 'later'
  }

  function conclude(entry: Entry, sent: Sent): void {
    if (sent.kind === 'later') {
      save({ ...entry, state: 'queued', error: sent.error })
      retryLater(entry.host)
      return
    }
    forgetRetry(entry.host)
    if (sent.kind === 'refused') {
      // Who still waits hears it now and can give another answer; else it stays to be seen.
      if (!waiters.has(entry.id)) return save({ ...entry, state: 'failed', error: sent.error })
      finish(entry, 'refused', sent.error)
      settle(entry.id, (waiter) => waiter.reject(fromWireError(sent.error)))
      return
    }
    finish(entry, sent.decision.kind)
    const { error: _, ...view } = viewOf(entry)
    if (!settle(entry.id, (waiter) => waiter.resolve(sent.decision))) ended.tell(view, sent.decision)
  }

  function settle(id: string, how: (waiter: Waiter) => void): boolean {
    const waiter = waiters.get(id)
    if (!waiter) return false
    waiters.delete(id)
    clearTimeout(waiter.timer)
    how(waiter)
    return true
  }

  /** A host that is connected and still did not answer is tried again by itself; one that is away is flushed when it is back. */
  function retryLater(host: string): void {
    if (closing.signal.aborted) return
    const count = retries.get(host)?.count ?? 0
    clearTimeout(retries.get(host)?.timer)
    const timer = setTimeout(() => flush(host), backoffMs(count, retry, random))
    timer.unref()
    retries.set(host, { timer, count: count + 1 })
  }

  function forgetRetry(host: string): void {
    clearTimeout(retries.get(host)?.timer)
    retries.delete(host)
  }

  function flush(host: string): void {
    if (closing.signal.aborted || !isConnected(host)) return
    const tasks = new Set(
      inOrder().flatMap((one) => (one.host === host && one.state === 'queued' ? [one.taskId] : [])),
    )
    for (const taskId of tasks) drain(host, taskId)
  }

  return {
    async answer({ host, ticketId, answer }) {
      if (answer.kind === 'continue' || answer.kind === 'done') throw reviewIsNoTicket()
      const taskId = taskIdOf(ticketId)
      const ask = cache.ticket(host, ticketId)?.ask
      return submit({
        host,
        taskId,
        ticketId,
        kind: 'answer',
        answer,
        seen: digestOf(ask),
      })
    },
    async continueTask({ host, taskId, text }) {
      const task = cache.task(host, taskId)
      const answer: Answer = { kind: 'continue', text }
      const ticketId = task === undefined ? undefined : `${taskId}:review-${task.round}`
      const ask = ticketId === undefined ? undefined : cache.ticket(host, ticketId)?.ask
      return submit({ host, taskId, ticketId, kind: 'continue', answer, seen: digestOf(ask) })
    },
    list: () => inOrder().map(viewOf),
    of(host, ticketId) {
      for (const entry of pending.values())
        if (entry.host === host && entry.ticketId === ticketId) return viewOf(entry)
      return undefined
    },
    ofTask: (host, taskId) => ofTask(host, taskId).map(viewOf),
    discard(id) {
      look()
      const entry = pending.get(id)
      if (!entry || entry.state === 'sending' || !store.takeBack(id, now())) return false
      pending.delete(id)
      changed.tell(entry.host)
      settle(id, (waiter) => waiter.reject(takenBack()))
      return true
    },
    flush,
    checkFile: store.check,
    onChange: changed.add,
    onOutcome: ended.add,
    async dispose() {
      closing.abort()
      stopWatching()
      for (const { timer } of retries.values()) clearTimeout(timer)
      await lanes.idle()
      store.dispose()
    },
  }
}

function openStore(
  { path, now = Date.now, onProblem = () => undefined, maxPages, ...options }: OutboxOptions,
  held: () => Iterable<Entry>,
) {
  const claimant: Claimant = {
    owner: `${process.pid}-${randomUUID()}`,
    isAlive: options.isAlive ?? isAlive,
    uptimeMs: () => Math.round(uptime() * 1_000),
  }
  const { onKept = () => undefined } = options
  return createEntryStore({ path, claimant, now, held, onProblem, onKept, maxPages })
}

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

const digestOf = (ask: Ask | undefined): string | undefined =>
  ask === undefined ? undefined : askDigest(ask)

function isSame(one: Entry | undefined, other: Entry): boolean {
  const told = (entry: Entry) => JSON.stringify([viewOf(entry), entry.attempts])
  return one !== undefined && told(one) === told(other)
}

/** Whether the process still runs that the name of a desk begins with. */
function isAlive(owner: string): boolean {
  const pid = Number.parseInt(owner, 10)
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it runs and belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
