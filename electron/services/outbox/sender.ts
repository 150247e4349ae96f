import { fromWireError } from '../../../shared/errors.ts'
import type { BackoffLimits } from '../../../shared/node/host-client/backoff.ts'
import { viewOf, type Entry } from './entries.ts'
import type { EntryBook } from './entry-book.ts'
import { createLanes } from './lanes.ts'
import { createRetries } from './retries.ts'
import { sendEntry, type SendingNeeds, type Sent } from './sending.ts'
import type { Waiters } from './waiters.ts'

/** What a sender needs. */
export interface SenderNeeds extends SendingNeeds {
  book: EntryBook
  waiters: Waiters
  retry: BackoffLimits
  random: () => number
}

const TASKS_AT_ONCE = 8

/** Sends what waits: the entries of one task in order and one at a time, those of several tasks beside each other. */
export function createSender(needs: SenderNeeds) {
  const { book, waiters, hosts, now } = needs
  const closing = new AbortController()
  const lanes = createLanes({ atOnce: TASKS_AT_ONCE })
  const retries = createRetries({ limits: needs.retry, random: needs.random, onTime: flush })

  /** Whether an answer given now leaves now; else it waits until the host is back. */
  function takesAnswers(host: string): boolean {
    const kind = hosts.get(host)?.state.kind
    return kind === 'live' || kind === 'catching_up'
  }

  /** Takes over what other desks have done since. */
  function look(): void {
    if (closing.signal.aborted) return
    // Whoever kept it may be unable to reach the host, or may have ended.
    for (const host of book.look()) if (!retries.has(host)) retries.later(host)
  }

  /** Sends what waits of one task, in order, until something has to wait. */
  function drain(host: string, taskId: string): void {
    void lanes.run(`${host}/${taskId}`, async () => {
      look()
      const ids = book.ofTask(host, taskId).map(({ id }) => id)
      for (const id of ids) {
        const entry = book.get(id)
        // Another desk is at it: what follows waits for that.
        if (entry?.state === 'sending') break
        // Taken back, or at its end, since the list was made.
        if (entry?.state !== 'queued') continue
        if (closing.signal.aborted || !takesAnswers(host) || !(await sendOne(entry))) break
      }
      for (const id of ids) {
        const entry = book.get(id)
        if (entry) waiters.settle(id, (waiter) => waiter.resolve({ kind: 'queued', entry: viewOf(entry) }))
      }
    })
  }

  async function sendOne(queued: Entry): Promise<boolean> {
    const { attempts, triedAt = now() } = queued
    const claimed: Entry = { ...queued, state: 'sending', attempts: attempts + 1, triedAt }
    if (!book.claim(claimed)) return book.get(queued.id) === undefined
    // Whether it was tried before this time decides whether it may be too old to repeat.
    const entry: Entry = { ...claimed, triedAt: queued.triedAt }
    const sent = await book.whileSending(entry, () => sendEntry(needs, entry, closing.signal))
    conclude({ ...entry, triedAt }, sent)
    return sent.kind !== 'later'
  }

  function conclude(entry: Entry, sent: Sent): void {
    if (sent.kind === 'later') {
      book.save({ ...entry, state: 'queued', error: sent.error })
      // A host that is connected and still did not answer is tried again by itself; one that is away is flushed when it is back.
      if (!closing.signal.aborted) retries.later(entry.host)
      return
    }
    retries.forget(entry.host)
    if (sent.kind === 'refused') {
      // Who still waits hears it now and can give another answer; else it stays to be seen.
      if (!waiters.has(entry.id)) return book.save({ ...entry, state: 'failed', error: sent.error })
      book.finish(entry, 'refused', sent.error)
      waiters.settle(entry.id, (waiter) => waiter.reject(fromWireError(sent.error)))
      return
    }
    book.finish(entry, sent.decision.kind)
    book.tellDecision(entry, sent.decision)
  }

  function flush(host: string): void {
    if (closing.signal.aborted || !takesAnswers(host)) return
    const queued = book.inOrder().filter((one) => one.host === host && one.state === 'queued')
    for (const taskId of new Set(queued.map((one) => one.taskId))) drain(host, taskId)
  }

  return {
    look,
    takesAnswers,
    drain,
    flush,
    /** Nothing is sent any more; resolves when the last try has ended. */
    async stop(): Promise<void> {
      closing.abort()
      retries.stop()
      await lanes.idle()
    },
  }
}
