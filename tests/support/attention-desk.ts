import path from 'node:path'
import { onTestFinished } from 'vitest'
import { createAttentionService } from '../../electron/services/attention/attention-service.ts'
import type {
  AttentionInput,
  Notifier,
  ShownAct,
  WishedNotification,
} from '../../electron/services/attention/types.ts'
import type { HostCounts } from '../../electron/services/cache/types.ts'
import type { KnownHost } from '../../electron/services/hosts/types.ts'
import { settingsSchema } from '../../shared/ipc/settings.ts'
import type { OutboxEntry } from '../../shared/ipc/work-calls.ts'
import { tempDirForTest } from './temp.ts'

type Handlers = Parameters<Notifier['show']>[1]

/** A notifier that writes down what it was told; `outcome` is what it answers. */
function createNotebook() {
  const shown: { wish: WishedNotification; on: Handlers }[] = []
  const withdrawn: string[] = []
  const notebook = {
    shown,
    withdrawn,
    isThere: true,
    show: (wish: WishedNotification, on: Handlers): ReturnType<Notifier['show']> => {
      shown.push({ wish, on })
      return { outcome: 'shown' }
    },
    isSupported: () => notebook.isThere,
    withdraw: (key: string) => void withdrawn.push(key),
  }
  return notebook
}

/** Attention over a state that the test sets, with a memory in a file. */
export async function createAttentionDesk({ databasePath = '' } = {}) {
  const file = databasePath || path.join(await tempDirForTest(), 'desk', 'desk.db')
  const listeners = new Set<() => void>()
  const source = (listener: (what: never) => void) => {
    // Nobody looks at what a change is about.
    const hear = listener as () => void
    listeners.add(hear)
    return () => void listeners.delete(hear)
  }
  const state = {
    open: [] as AttentionInput['open'][number][],
    hosts: [] as KnownHost[],
    outbox: [] as OutboxEntry[],
    settings: settingsSchema.parse({ language: 'en' }),
    counts: { needsYou: 0, reviewer: 0, toReview: 0, offline: 0, running: 0, open: 0 } as HostCounts,
    looks: 0,
    acts: [] as ShownAct[],
    opened: [] as string[],
    problems: [] as unknown[],
    actFails: undefined as Error | undefined,
  }
  const notebook = createNotebook()
  function start() {
    const service = createAttentionService({
      cache: {
        openTickets: () => {
          state.looks += 1
          return state.open
        },
        troubled: () => [],
        counts: () => state.counts,
        onChange: source,
      },
      hosts: { list: () => state.hosts, onChange: source },
      outbox: { list: () => state.outbox, onChange: source },
      settings: { get: () => state.settings, onChange: source },
      notifier: notebook,
      databasePath: file,
      systemLocale: 'en-GB',
      settleMs: 60,
      onAct: (act) => {
        state.acts.push(act)
        return state.actFails ? Promise.reject(state.actFails) : Promise.resolve()
      },
      onOpen: (route) => void state.opened.push(route),
      onProblem: (error) => void state.problems.push(error),
    })
    onTestFinished(() => service.dispose())
    return service
  }
  return {
    state,
    notebook,
    file,
    start,
    /** Something changed in the cache, a host, the outbox or the settings. */
    changed: () => {
      for (const listener of [...listeners]) listener()
    },
    listeners: () => listeners.size,
  }
}
