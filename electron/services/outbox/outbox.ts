import { randomUUID } from 'node:crypto'
import type { Answer } from '../../../shared/domain/ticket.ts'
import { fromWireError, type AppError, type WireError } from '../../../shared/errors.ts'
import type { Decision, OutboxEntry } from '../../../shared/ipc/work-calls.ts'
import { backoffMs, type BackoffLimits } from '../../../shared/node/host-client/backoff.ts'
import { deskDatabaseError, openDeskDatabase } from './desk-database.ts'
import { createEntries, viewOf, type Ending, type Entry } from './entries.ts'
import { createLanes } from './lanes.ts'
import { onItsWay, reviewIsNoTicket, takenBack, tooMany, unreadableEntries } from './refusals.ts'
import { askDigest, sendEntry, type Sent, type SendingNeeds } from './sending.ts'
import type { Outbox } from './types.ts'

/** What an outbox needs. */
export interface OutboxOptions extends Pick<SendingNeeds, 'hosts' | 'cache'> {
  /** desk.db. */
  path: string
  /** Something about the file that a person should know; the outbox goes on as well as it can. */
  onProblem?: ((problem: AppError) => void) | undefined
  now?: (() => number) | undefined
  /** From 0 to 1; spreads the retries. */
  random?: (() => number) | undefined
  /** How long a host may take to answer before the answer counts as not arrived. */
  timeoutMs?: number | undefined
  retry?: BackoffLimits | undefined
}

const MAX_PENDING = 1_000
const TASK_ID_CHARS = 36

/** The person who gave an answer and waits to hear what became of it. */
interface Waiter {
  resolve(decision: Decision): void
  reject(error: AppError): void
}

/** Opens the outbox. What was left from before is sent when `flush` is called for its host. */
export function createOutbox(options: OutboxOptions): Outbox {
  const { hosts, cache, path, now = Date.now, random = Math.random, timeoutMs = 30_000 } = options
  const { retry = { firstMs: 1_000, maxMs: 60_000 }, onProblem = () => undefined } = options
  const { db } = openDeskDatabase({ path, now, onProblem })
  const entries = createEntries(db)
  const pending = new Map<string, Entry>()
  const waiters = new Map<string, Waiter>()
  const retries = new Map<string, { timer: NodeJS.Timeout; count: number }>()
  const changed = createListeners<[host: string]>()
  const ended = createListeners<[entry: OutboxEntry, decision: Decision]>()
  const closing = new AbortController()
  const lanes = createLanes({ atOnce: 8 })
  const needs: SendingNeeds = { hosts, cache, now, timeoutMs }
  readPending()

  function readPending(): void {
    const { entries: left, unreadable } = entries.pending()
    for (const entry of left) pending.set(entry.id, entry)
    if (unreadable > 0) onProblem(unreadableEntries(unreadable, path))
  }

  const inOrder = () => [...pending.values()].sort((a, b) => a.seq - b.seq)
  const ofTask = (host: string, taskId: string) =>
    inOrder().filter((one) => one.host === host && one.taskId === taskId)
  const isConnected = (host: string) => {
    const kind = hosts.get(host)?.state.kind
    return kind === 'live' || kind === 'catching_up'
  }

  /** A write that may fail without harm: what is sent has its id on the disk already, and is sent again after a restart. */
  function attempt(write: () => void): void {
    try {
      write()
    } catch (error) {
      onProblem(deskDatabaseError(error, path))
    }
  }

  function save(entry: Entry): void {
    pending.set(entry.id, entry)
    attempt(() => entries.save(entry))
    changed.tell(entry.host)
  }

  function finish(entry: Entry, as: Ending, error?: WireError): void {
    pending.delete(entry.id)
    attempt(() => entries.finish(entry.id, { as, at: now(), error }))
    changed.tell(entry.host)
  }

  function submit(
    entry: Omit<
      Entry,
      'seq' | 'id' | 'requestId' | 'hostId' | 'createdAt' | 'state' | 'attempts' | 'error' | 'triedAt'
    >,
  ) {
    refuseSecond(entry)
    const { host } = entry
    const hostId = hosts.get(host)?.hostId ?? cache.hostId(host)
    let added: Entry
    try {
      added = entries.add({
        ...entry,
        hostId,
        id: randomUUID(),
        requestId: randomUUID(),
        createdAt: now(),
        state: 'queued',
        attempts: 0,
        error: undefined,
      })
    } catch (error) {
      throw deskDatabaseError(error, path)
    }
    pending.set(added.id, added)
    changed.tell(host)
    if (!isConnected(host)) return Promise.resolve<Decision>({ kind: 'queued', entry: viewOf(added) })
    return new Promise<Decision>((resolve, reject) => {
      waiters.set(added.id, { resolve, reject })
      drain(host, added.taskId)
    })
  }

  function refuseSecond({
    host,
    taskId,
    ticketId,
    kind,
  }: Pick<Entry, 'host' | 'taskId' | 'ticketId' | 'kind'>): void {
    const same = ofTask(host, taskId).filter(
      (one) => one.ticketId === ticketId || (kind === 'continue' && one.kind === kind),
    )
    const waiting = same.find(({ state }) => state !== 'failed')
    if (waiting) throw onItsWay(waiting)
    if (pending.size - same.length >= MAX_PENDING) throw tooMany(MAX_PENDING)
    for (const old of same) finish(old, 'replaced', old.error)
  }

  /** Sends what waits of one task, in order, until something has to wait. */
  function drain(host: string, taskId: string): void {
    void lanes.run(`${host}/${taskId}`, async () => {
      const ids = ofTask(host, taskId).map(({ id }) => id)
      for (const id of ids) {
        const entry = pending.get(id)
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

  /** Another desk of the same home may have ended it: what was taken back there is not sent from here. */
  function hasEnded(entry: Entry): boolean {
    let isThere = true
    attempt(() => (isThere = entries.save(entry)))
    if (isThere) return false
    pending.delete(entry.id)
    changed.tell(entry.host)
    settle(entry.id, (waiter) => waiter.reject(takenBack()))
    return true
  }

  async function sendOne(queued: Entry): Promise<boolean> {
    const { attempts, triedAt = now() } = queued
    if (hasEnded({ ...queued, state: 'sending', attempts: attempts + 1, triedAt })) return true
    const entry: Entry = { ...queued, state: 'sending', attempts: attempts + 1 }
    pending.set(entry.id, entry)
    changed.tell(entry.host)
    const sent = await sendEntry(needs, entry, closing.signal)
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
      const taskId = ticketId.slice(0, TASK_ID_CHARS)
      const ask = cache.ticket(host, ticketId)?.ask
      return submit({
        host,
        taskId,
        ticketId,
        kind: 'answer',
        answer,
        seen: ask === undefined ? undefined : askDigest(ask),
      })
    },
    async continueTask({ host, taskId, text }) {
      const task = cache.task(host, taskId)
      const answer: Answer = { kind: 'continue', text }
      const ticketId = task === undefined ? undefined : `${taskId}:review-${task.round}`
      return submit({ host, taskId, ticketId, kind: 'continue', answer })
    },
    list: () => inOrder().map(viewOf),
    of(host, ticketId) {
      for (const entry of pending.values())
        if (entry.host === host && entry.ticketId === ticketId) return viewOf(entry)
      return undefined
    },
    ofTask: (host, taskId) => ofTask(host, taskId).map(viewOf),
    discard(id) {
      const entry = pending.get(id)
      if (!entry || entry.state === 'sending') return false
      finish(entry, 'discarded', entry.error)
      settle(id, (waiter) => waiter.reject(takenBack()))
      return true
    },
    flush,
    onChange: changed.add,
    onOutcome: ended.add,
    async dispose() {
      closing.abort()
      for (const { timer } of retries.values()) clearTimeout(timer)
      await lanes.idle()
      db.close()
    },
  }
}

function createListeners<A extends unknown[]>() {
  const listeners = new Set<(...args: A) => void>()
  return {
    add(listener: (...args: A) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    tell(...args: A): void {
      for (const listener of [...listeners]) listener(...args)
    },
  }
}
