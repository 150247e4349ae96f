import type { AppError, WireError } from '../../../shared/errors.ts'
import { fileIdentity } from '../../../shared/node/private-file.ts'
import { deskDatabaseError, isDamage, openDeskDatabase, type DeskDatabase } from './desk-database.ts'
import { createEntries, type Claimant, type Ending, type Entries, type Entry } from './entries.ts'
import { unreadableEntries } from './refusals.ts'

/** How an entry ended, and when. */
interface Ended {
  as: Ending
  at: number
  error?: WireError | undefined
}

/** The entries of desk.db, which outlive damage to the file. */
export interface EntryStore {
  /** What has not ended in any desk of this home; undefined when nothing has changed from outside since the last look. */
  look(): Entry[] | undefined
  /** On the disk when it returns. Throws what `refuse` throws, and an AppError when it cannot be kept. */
  add(entry: Omit<Entry, 'seq'>, refuse: (pending: Entry[]) => void): Entry
  /** `ours` too when the file cannot be written: the host carries the same id out once. */
  claim(entry: Entry): 'ours' | 'ended' | 'elsewhere'
  save(entry: Entry): void
  /** What cannot be written is written with the next write that works. */
  finish(id: string, ended: Ended): void
  /** Throws an AppError when that cannot be kept: it would be sent all the same. */
  takeBack(id: string, at: number): boolean
  outcome(id: string): string | undefined
  /** Looks at the whole file now and replaces it when it is damaged. */
  check(): void
  dispose(): void
}

/** What the store needs. */
export interface EntryStoreNeeds {
  path: string
  claimant: Claimant
  now: () => number
  /** What memory holds: written again into a file that has to be begun anew. */
  held: () => Iterable<Entry>
  onProblem: (problem: AppError) => void
  /** Hears at each opening of the file why what is written is gone when the program ends, if it is. */
  onKept: (why: AppError | undefined) => void
  /** Only tests change it: the most pages that the file may have. */
  maxPages?: number | undefined
}

/**
 * Keeps entries in desk.db. A file that turns out to be damaged while the desk runs is set aside, a new one is begun, and what can be
 * read of the old one and what memory holds go into it; the same when the file was taken away or replaced.
 */
export function createEntryStore(needs: EntryStoreNeeds): EntryStore {
  const { path, claimant, onProblem } = needs
  const unwritten = new Map<string, Ended>()
  let file: DeskDatabase
  let entries: Entries
  let place: string | undefined
  let version: unknown
  open(false)

  function open(isKnownDamaged: boolean): void {
    let why: AppError | undefined
    const heard = (problem: AppError) => onProblem((why = problem))
    file = openDeskDatabase({ path, now: needs.now, onProblem: heard, isKnownDamaged })
    needs.onKept(file.isKept ? undefined : why)
    if (needs.maxPages !== undefined) file.db.pragma(`max_page_count = ${needs.maxPages}`)
    entries = createEntries(file.db, claimant)
    place = file.isKept ? fileIdentity(path) : undefined
    version = undefined
  }

  function reopen(isKnownDamaged: boolean): void {
    const old = file
    // The new one first: SQLite leaves the files of a database alone that was moved while it was open.
    open(isKnownDamaged)
    old.db.close()
    for (const entry of needs.held()) if (!unwritten.has(entry.id)) entries.restore(entry)
    writeEndings()
  }

  /** Another desk has replaced the file, or somebody has taken it away. */
  function followFile(): void {
    if (file.isKept && fileIdentity(path) !== place) reopen(false)
  }

  function writeEndings(): void {
    for (const [id, ended] of unwritten) {
      entries.finish(id, ended)
      unwritten.delete(id)
    }
  }

  /** Runs on the file, and once more on a new one when this one is damaged. Throws what SQLite throws. */
  function onFile<T>(work: () => T): T {
    try {
      followFile()
      return work()
    } catch (error) {
      if (!isDamage(error)) throw error
      // Another desk may have replaced it meanwhile.
      reopen(fileIdentity(path) === place)
      return work()
    }
  }

  const orTell = <T>(work: () => T, otherwise: T): T => {
    try {
      return onFile(work)
    } catch (error) {
      onProblem(deskDatabaseError(error, path))
      return otherwise
    }
  }

  function orThrow<T>(work: () => T): T {
    try {
      return onFile(work)
    } catch (error) {
      throw deskDatabaseError(error, path)
    }
  }

  return {
    look: () =>
      orTell(() => {
        const now: unknown = file.db.pragma('data_version', { simple: true })
        if (now === version) return undefined
        const isFirst = version === undefined
        version = now
        const { entries: pending, unreadable } = entries.pending()
        if (isFirst && unreadable > 0) onProblem(unreadableEntries(unreadable, path))
        return pending.filter(({ id }) => !unwritten.has(id))
      }, undefined),
    add: (entry, refuse) =>
      orThrow(() => {
        writeEndings()
        return entries.add(entry, refuse)
      }),
    claim: (entry) => orTell(() => entries.claim(entry), 'ours'),
    save: (entry) => orTell(() => entries.save(entry), undefined),
    finish(id, ended) {
      unwritten.set(id, ended)
      orTell(writeEndings, undefined)
    },
    takeBack: (id, at) => orThrow(() => entries.takeBack(id, at)),
    outcome: (id) => orTell(() => entries.outcome(id), undefined),
    check: () =>
      orTell(() => {
        if (file.isKept && file.db.pragma('quick_check(1)', { simple: true }) !== 'ok') reopen(true)
      }, undefined),
    dispose: () => void file.db.close(),
  }
}
