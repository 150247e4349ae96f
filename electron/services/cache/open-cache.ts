import type Database from 'better-sqlite3'
import type { Task } from '../../../shared/domain/task.ts'
import type { Ticket } from '../../../shared/domain/ticket.ts'
import { AppError } from '../../../shared/errors.ts'
import { createListeners } from '../../../shared/listeners.ts'
import { openAnew, openFile, openInMemory, reasonOf, type RebuildReason } from './open-file.ts'
import { createReads } from './reads.ts'
import type { LocalRepo } from './rows.ts'
import { createStore } from './store.ts'
import type { Cache, CacheChange } from './types.ts'
import { createWindows } from './windows.ts'

/** What is told when a cache had to begin empty: the hosts have to be asked for a snapshot (`resumePoint` is undefined). */
export interface Rebuilt {
  reason: RebuildReason
  /** Nothing is kept on disk until the next start. */
  isInMemory: boolean
}

/** What a cache needs. */
export interface CacheOptions {
  path: string
  /** Told at once when the file could not be used, and whenever it fails later. */
  onRebuilt?: ((rebuilt: Rebuilt) => void) | undefined
  now?: (() => number) | undefined
  /** The client id of this machine: a task that was dispatched with it came from a repository here. */
  clientId?: string | undefined
}

/** After so many failures in one run the disk is no longer trusted. */
const MAX_REBUILDS = 3

/**
 * Opens the cache; it never fails. A file that cannot be used is begun anew or, as the last resort, replaced by memory, at
 * the start as well as at any later call, which then answers as an empty cache does.
 */
export function openCache({ path, onRebuilt, now = Date.now, clientId }: CacheOptions): Cache {
  const localRepo = localRepoOf(clientId)
  let rebuilds = 0
  let opened = openFile(path)
  let parts = partsOf(opened.db, localRepo)
  const changed = createListeners<[change: CacheChange]>()
  const unknown = createListeners<[host: string, taskId: string]>()
  if (opened.reason !== undefined) onRebuilt?.({ reason: opened.reason, isInMemory: opened.isInMemory })

  function rebuild(reason: RebuildReason): void {
    rebuilds += 1
    const hosts = opened.isInMemory ? [] : knownHosts(opened.db)
    opened.db.close()
    opened =
      rebuilds > MAX_REBUILDS || reason === 'locked'
        ? { db: openInMemory(), reason, isInMemory: true }
        : openAnew(path, reason)
    parts = partsOf(opened.db, localRepo)
    onRebuilt?.({ reason, isInMemory: opened.isInMemory })
    for (const host of hosts) changed.tell({ host, tasks: 'all' })
  }

  /** Runs a piece of work; when the file fails, the cache begins anew and `fallback` is the answer. */
  function guarded<T>(work: (now: ReturnType<typeof partsOf>) => T, fallback: T): T {
    try {
      return work(parts)
    } catch (error) {
      const reason = reasonOf(error)
      // In memory nothing but a bug can fail.
      if (reason === undefined || opened.isInMemory) throw error
      rebuild(reason)
      return fallback
    }
  }

  /** Writes, and tells the listeners once it is kept. */
  function write<T>(
    host: string,
    work: (now: ReturnType<typeof partsOf>) => T,
    touched: (result: T) => CacheChange['tasks'],
  ) {
    const done = guarded<{ result: T } | undefined>((now) => ({ result: work(now) }), undefined)
    if (!done) return undefined
    parts.windows.forget()
    const tasks = touched(done.result)
    if (tasks === 'all' || tasks.size > 0) changed.tell({ host, tasks })
    return done.result
  }

  const one = (host: string, taskId: string, isChanged: boolean) =>
    new Set(isChanged ? [`${host}/${taskId}`] : [])

  function askFor(host: string, taskIds: readonly string[]): void {
    for (const taskId of taskIds) unknown.tell(host, taskId)
  }

  /** Reads, after what has run out is gone. */
  function read<T>(work: (now: ReturnType<typeof partsOf>) => T, fallback: T): T {
    return guarded((current) => {
      if (current.store.sweep(now())) current.windows.forget()
      return work(current)
    }, fallback)
  }

  return {
    resumePoint: (host) => guarded(({ store }) => store.headSeq(host), undefined),
    resumeMark: (host) => guarded(({ store }) => store.headMark(host), undefined),
    hostId: (host) => guarded(({ store }) => store.hostId(host), undefined),
    onEvents(host, events) {
      const touched = write(
        host,
        ({ store }) => store.onEvents(host, events),
        ({ tasks }) => tasks,
      )
      if (touched) askFor(host, touched.unknown)
      // Whoever keeps the connection begins again, and with a snapshot, since there is no resume point now.
      if (touched?.isComplete !== true) throw incomplete(host)
    },
    onSnapshot(host, snapshot) {
      write(
        host,
        ({ store }) => store.onSnapshot(host, snapshot),
        () => 'all',
      )
    },
    onSnapshotPart(host, part) {
      const done = write(
        host,
        ({ store }) => store.onSnapshotPart(host, part),
        (kept) => (kept?.isDone === true ? 'all' : (kept?.tasks ?? new Set())),
      )
      // The file was begun anew meanwhile: what came before this part is lost.
      if (done === undefined) throw incomplete(host)
      return done.isDone ? undefined : part.last ? 'again' : undefined
    },
    onWelcome(host, hostId) {
      write(
        host,
        ({ store }) => store.onWelcome(host, hostId),
        (isOther) => (isOther ? 'all' : new Set()),
      )
      askFor(
        host,
        guarded(({ store }) => store.wanted(host), []),
      )
    },
    task: (host, taskId) => guarded(({ store }) => store.rows.task(host, taskId)?.task, undefined),
    ticket: (host, ticketId) => guarded(({ store }) => store.rows.ticket(host, ticketId), undefined),
    ticketsOf: (host, taskId) => guarded(({ store }) => store.rows.ticketsOf(host, taskId), []),
    openTickets: () => guarded(({ store }) => store.rows.openTickets(), []),
    troubled: () => read(({ reads }) => reads.troubled(), []),
    inbox: (query) => read(({ windows }) => windows.inbox(query), { total: 0, sections: [], rows: [] }),
    tasks: (query) => read(({ windows }) => windows.tasks(query), { total: 0, rows: [] }),
    counts: (host) => read(({ windows }) => windows.counts(host), noCounts),
    put(host, task: Task, tickets: readonly Ticket[] = []) {
      write(
        host,
        ({ store }) => store.put(host, task, tickets),
        (isNew) => one(host, task.id, isNew),
      )
    },
    putTicket(host, ticket) {
      write(
        host,
        ({ store }) => store.putTicket(host, ticket),
        (isNew) => one(host, ticket.taskId, isNew),
      )
    },
    markSeen(host, taskId) {
      write(
        host,
        ({ store }) => store.markSeen(host, taskId),
        (isNew) => one(host, taskId, isNew),
      )
    },
    repositories: () => guarded(({ reads }) => reads.repositories(), []),
    hosts: () => guarded(() => knownHosts(opened.db), []),
    forget(host) {
      write(
        host,
        ({ store }) => store.forget(host),
        () => 'all',
      )
    },
    onChange: changed.add,
    onUnknownTask: unknown.add,
    dispose() {
      changed.clear()
      unknown.clear()
      opened.db.close()
    },
  }
}

const noCounts = { needsYou: 0, reviewer: 0, toReview: 0, offline: 0, running: 0, open: 0 }

function incomplete(host: string): AppError {
  return new AppError({
    code: 'database_unusable',
    message: `What the desk keeps of ${host} has a gap, so that further events cannot be added to it.`,
    hint: 'It is filled by a snapshot of the host; when this is said again and again, see whether the disk is full.',
  })
}

function partsOf(db: Database.Database, localRepo: LocalRepo) {
  return { store: createStore(db, { localRepo }), windows: createWindows(db), reads: createReads(db) }
}

function knownHosts(db: Database.Database): string[] {
  try {
    return db.prepare<[], string>('SELECT host FROM hosts').pluck().all()
  } catch (error) {
    // The file has failed already; whoever listens hears of the rebuilding itself.
    if (reasonOf(error) === undefined) throw error
    return []
  }
}

/** A task of this machine names its repository by path; one dispatched from here to elsewhere says where it came from. */
function localRepoOf(clientId: string | undefined): LocalRepo {
  return (host, { repo, origin }) => {
    if (origin !== undefined && origin.clientId === clientId) return origin.repoPath
    return host === 'local' && repo.kind === 'path' ? repo.path : undefined
  }
}
