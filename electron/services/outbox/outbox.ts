import { randomUUID } from 'node:crypto'
import type { Answer, Ask } from '../../../shared/domain/ticket.ts'
import { taskIdOf } from '../../../shared/domain/ticket-id.ts'
import type { AppError } from '../../../shared/errors.ts'
import type { Decision } from '../../../shared/ipc/work-calls.ts'
import { askDigest } from '../../../shared/node/ask-digest.ts'
import type { BackoffLimits } from '../../../shared/node/host-client/backoff.ts'
import { viewOf, type Claimant, type Entry } from './entries.ts'
import { createEntryBook } from './entry-book.ts'
import { createEntryStore } from './entry-store.ts'
import { thisDesk } from './owner.ts'
import { reviewIsNoTicket } from './refusals.ts'
import { createSender } from './sender.ts'
import type { SendingNeeds } from './sending.ts'
import type { Outbox } from './types.ts'
import { createWaiters } from './waiters.ts'
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

/** What a person says; the rest of an entry is made here. */
type Given = Pick<Entry, 'host' | 'taskId' | 'ticketId' | 'kind' | 'answer' | 'seen'>

/**
 * Opens the outbox. What was left from before is sent when `flush` is called for its host. Other desks of the same home share the
 * file: what one of them keeps, sends or takes back is seen here, and an entry is sent by one of them at a time.
 */
export function createOutbox(options: OutboxOptions): Outbox {
  const { hosts, cache, path, now = Date.now, random = Math.random, timeoutMs = 30_000 } = options
  const { retry = { firstMs: 1_000, maxMs: 60_000 }, patienceMs = 5_000 } = options
  const waiters = createWaiters({ patienceMs })
  const openStore = (held: () => Iterable<Entry>) => openFile(options, held)
  const book = createEntryBook({ openStore, cache, waiters, now })
  const sender = createSender({ book, waiters, hosts, cache, now, timeoutMs, retry, random })
  sender.look()
  const stopWatching = watchDatabase(path, sender.look)

  async function submit(given: Given): Promise<Decision> {
    sender.look()
    const { host, taskId } = given
    const added = book.add({
      ...given,
      hostId: hosts.get(host)?.hostId ?? cache.hostId(host),
      id: randomUUID(),
      requestId: randomUUID(),
      createdAt: now(),
      state: 'queued',
      attempts: 0,
      error: undefined,
    })
    const queued = (): Decision => ({ kind: 'queued', entry: viewOf(book.get(added.id) ?? added) })
    if (!sender.takesAnswers(host)) return queued()
    const heard = waiters.wait(added.id, queued)
    sender.drain(host, taskId)
    return heard
  }

  return {
    async answer({ host, ticketId, answer }) {
      if (answer.kind === 'continue' || answer.kind === 'done') throw reviewIsNoTicket()
      const seen = digestOf(cache.ticket(host, ticketId)?.ask)
      return submit({ host, taskId: taskIdOf(ticketId), ticketId, kind: 'answer', answer, seen })
    },
    async continueTask({ host, taskId, text }) {
      const task = cache.task(host, taskId)
      const answer: Answer = { kind: 'continue', text }
      const ticketId = task === undefined ? undefined : `${taskId}:review-${task.round}`
      const ask = ticketId === undefined ? undefined : cache.ticket(host, ticketId)?.ask
      return submit({ host, taskId, ticketId, kind: 'continue', answer, seen: digestOf(ask) })
    },
    list: () => book.inOrder().map(viewOf),
    of(host, ticketId) {
      const entry = book.of(host, ticketId)
      return entry && viewOf(entry)
    },
    ofTask: (host, taskId) => book.ofTask(host, taskId).map(viewOf),
    discard(id) {
      sender.look()
      return book.takeBack(id)
    },
    flush: sender.flush,
    checkFile: book.check,
    onChange: book.onChange,
    onOutcome: book.onOutcome,
    async dispose() {
      stopWatching()
      await sender.stop()
      book.dispose()
    },
  }
}

function openFile(
  { path, now = Date.now, onProblem = () => undefined, onKept = () => undefined, ...options }: OutboxOptions,
  held: () => Iterable<Entry>,
) {
  const { isAlive, maxPages } = options
  return createEntryStore({ path, claimant: thisDesk(isAlive), now, held, onProblem, onKept, maxPages })
}

const digestOf = (ask: Ask | undefined): string | undefined =>
  ask === undefined ? undefined : askDigest(ask)
