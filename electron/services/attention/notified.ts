import type { NotificationRecord } from '../../../shared/ipc/desk-calls.ts'
import { fileIdentity } from '../../../shared/node/private-file.ts'
import { recordOf } from './announcer.ts'
import { forgettable, remembered } from './memory.ts'
import { KEEP_NOT_FOR_YOU, KEEP_RECORDS, type NotifiedStore, openNotifiedStore } from './notified-store.ts'
import type { Attention, Remembered } from './types.ts'

const FORGET_EVERY_MS = 3_600_000

/** What was notified: quick to ask, kept on disk. A disk that fails costs the memory of this run, not the notification. */
export interface Notified {
  memory: ReadonlyMap<string, Remembered>
  startedAt: number
  carriedOut(attention: Pick<Attention, 'show' | 'suppressed' | 'withdraw'>, at: number): void
  /** It was not shown after all; it will not be tried again. */
  failed(key: string, why: 'failed' | 'unsupported', at: number): void
  record(record: NotificationRecord): void
  log(): NotificationRecord[]
  /** Drops what is old and not open, now and then. */
  forget(isOpen: () => ReadonlySet<string>, now: number): void
  dispose(): void
}

/** Opens the memory in `databasePath`; when that cannot be opened it says so and remembers until the desk ends. */
export function createNotified({
  databasePath,
  now,
  onProblem,
  onFileFails = () => undefined,
}: {
  databasePath: string
  now: number
  onProblem: (error: unknown) => void
  /** The file could not be written; whoever it belongs to may replace it. */
  onFileFails?: (() => void) | undefined
}): Notified {
  const opened = openOr({ databasePath, now, onProblem })
  const { memory, startedAt } = opened
  let { store } = opened
  let place = fileIdentity(databasePath)
  let forgotAt = 0

  /** A file that was replaced is begun with what memory holds. */
  function followFile(): void {
    const there = fileIdentity(databasePath)
    if (there === place) return
    place = there
    store.dispose()
    store = openOr({ databasePath, now: startedAt, onProblem }).store
    place = fileIdentity(databasePath)
    store.keep({ changed: memory })
  }

  function keep(what: Parameters<NotifiedStore['keep']>[0]): void {
    try {
      followFile()
      store.keep(what)
    } catch (error) {
      onProblem(error)
      onFileFails()
    }
  }

  return {
    memory,
    startedAt,
    carriedOut(attention, at) {
      const { suppressed, withdraw } = attention
      const changed = remembered(memory, attention, at)
      if (changed.size === 0) return
      for (const [key, entry] of changed) memory.set(key, entry)
      const records = [
        ...lastOf(suppressed).map(({ key, title, why }) =>
          recordOf({ key, title, at, outcome: 'suppressed', why }),
        ),
        ...withdraw.map((key) =>
          recordOf({ key, title: changed.get(key)?.title ?? '', at, outcome: 'withdrawn' }),
        ),
      ]
      keep({ changed, records })
    },
    failed(key, why, at) {
      const entry: Remembered = { ...memory.get(key), state: 'suppressed', at, why }
      memory.set(key, entry)
      keep({ changed: new Map([[key, entry]]) })
    },
    record: (record) => keep({ records: [record] }),
    log() {
      try {
        return store.log()
      } catch (error) {
        onProblem(error)
        return []
      }
    },
    forget(isOpen, at) {
      if (Math.abs(at - forgotAt) < FORGET_EVERY_MS) return
      forgotAt = at
      const open = isOpen()
      const keys = forgettable(memory, (key) => open.has(key), at)
      for (const key of keys) memory.delete(key)
      if (keys.length > 0) keep({ forget: keys })
    },
    dispose: () => store.dispose(),
  }
}

/** What the log would keep of so many: wording all of them takes longer than everything else. */
function lastOf(suppressed: Attention['suppressed']): Attention['suppressed'] {
  if (suppressed.length <= KEEP_NOT_FOR_YOU) return suppressed
  return [
    ...suppressed.filter(({ why }) => why === 'not_for_you').slice(-KEEP_NOT_FOR_YOU),
    ...suppressed.filter(({ why }) => why !== 'not_for_you').slice(-KEEP_RECORDS),
  ]
}

function openOr({ databasePath, now, onProblem }: Parameters<typeof createNotified>[0]): {
  store: NotifiedStore
  memory: Map<string, Remembered>
  startedAt: number
} {
  const open = (file: string) => {
    const store = openNotifiedStore(file)
    try {
      return { store, memory: store.load(), startedAt: store.startedAt(now) }
    } catch (error) {
      store.dispose()
      throw error
    }
  }
  try {
    return open(databasePath)
  } catch (error) {
    onProblem(error)
    return open(':memory:')
  }
}
