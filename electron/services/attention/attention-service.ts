import { createListeners } from '../../../shared/listeners.ts'
import type { Cache } from '../cache/types.ts'
import type { HostService } from '../hosts/types.ts'
import type { Outbox } from '../outbox/types.ts'
import type { SettingsService } from '../settings/types.ts'
import { createAnnouncer } from './announcer.ts'
import { languageFor } from '../../../shared/ipc/language.ts'
import { createInputReader } from './attention-input.ts'
import { attend, glance } from './attention.ts'
import { createLooks, SETTLE_MS } from './looks.ts'
import { createNotified } from './notified.ts'
import { openKeys } from './subjects.ts'
import type { Attention, AttentionService, Notifier, ShownAct } from './types.ts'
import { wordsOf } from '../words/words.ts'

/** What attention needs. */
export interface AttentionNeeds {
  cache: Pick<Cache, 'openTickets' | 'troubled' | 'counts' | 'onChange'>
  hosts: Pick<HostService, 'list' | 'onChange'>
  outbox: Pick<Outbox, 'list' | 'onChange'>
  settings: Pick<SettingsService, 'get' | 'onChange'>
  notifier: Notifier
  /** `desk.db`, where it is remembered what was notified. */
  databasePath: string
  systemLocale: string
  now?: () => number
  /** How long changes must have settled before something is announced. */
  settleMs?: number
  onAct: (what: ShownAct) => Promise<void>
  onOpen: (route: string) => void
  /** Something did not work that costs no more than a notification; for the log. */
  onProblem?: (error: unknown) => void
  /** `databasePath` could not be written; whoever it belongs to looks at it and replaces it when it is damaged. */
  onFileFails?: () => void
}

/**
 * Looks at the state whenever it changes: the badge and what must be withdrawn at once, notifications when changes have settled
 * (300 ms after the last, at most 900), so that what a rule or a reviewer answers is never heard of.
 */
export function createAttentionService(needs: AttentionNeeds): AttentionService {
  const { cache, hosts, outbox, settings, notifier, now = Date.now, onProblem = () => undefined } = needs
  const { settleMs = SETTLE_MS } = needs
  const notified = createNotified({
    databasePath: needs.databasePath,
    now: now(),
    onProblem,
    onFileFails: needs.onFileFails ?? (() => undefined),
  })
  const readInput = createInputReader({ ...needs, now, memory: notified.memory })
  const changed = createListeners<[attention: Attention]>()
  const windows = new Map<string, string>()
  const announcer = createAnnouncer({
    notifier,
    now,
    onRecord: notified.record,
    onFailed: (key) => notified.failed(key, 'failed', now()),
    onAct: needs.onAct,
    onOpen: needs.onOpen,
  })
  // Made when it is asked for: with thousands of open tickets a start would wait for what nobody looks at yet.
  let latest: Attention | undefined
  const current = () => (latest ??= { ...glance(input()), show: [], suppressed: [] })
  const looks = createLooks(
    (depth) => {
      try {
        look(depth)
      } catch (error) {
        // The tray outlives a look that failed; the next change looks again.
        onProblem(error)
      }
    },
    { settleMs },
  )

  function input() {
    const { memory, startedAt } = notified
    return readInput({ memory, startedAt, visible: [...windows.values()] })
  }

  function look(depth: 'badge' | 'all'): void {
    const seen = input()
    const attention: Attention =
      depth === 'all' ? attend(seen) : { ...glance(seen), show: [], suppressed: [], wakeAt: latest?.wakeAt }
    for (const key of attention.withdraw) announcer.withdraw(key)
    notified.carriedOut(attention, seen.now)
    for (const wish of attention.show) {
      const { outcome } = announcer.show(wish)
      if (outcome !== 'shown') notified.failed(wish.key, outcome, seen.now)
    }
    if (depth === 'all') {
      looks.wakeIn(attention.wakeAt === undefined ? undefined : attention.wakeAt - seen.now)
      notified.forget(() => openKeys(seen), seen.now)
    }
    publish(attention)
  }

  function publish(attention: Attention): void {
    const isSame = latest !== undefined && face(attention) === face(latest)
    latest = attention
    if (!isSame) changed.tell(attention)
  }

  const stops = [cache, hosts, outbox, settings].map((source) => source.onChange(() => looks.changed()))
  looks.begin()

  return {
    current,
    onChange: changed.add,
    log: () => notified.log(),
    test() {
      const words = wordsOf(languageFor(settings.get().language, needs.systemLocale))
      const title = words('notification.testTitle')
      const body = words('notification.testBody')
      const key = `test:${now()}`
      const about = { kind: 'group' as const, route: '/settings/notifications', host: '' }
      return announcer.show({ key, title, body, ...about, actions: [], reply: false })
    },
    focus(windowId, { route, focused }) {
      const before = windows.get(windowId)
      if (before === (focused ? route : undefined)) return
      if (focused) windows.set(windowId, route)
      else windows.delete(windowId)
      looks.changed()
    },
    windowClosed(windowId) {
      if (windows.delete(windowId)) looks.changed()
    },
    lookAgain: () => looks.changed(),
    dispose() {
      for (const stop of stops) stop()
      looks.dispose()
      notified.dispose()
    },
  }
}

/** What can be seen of it, to tell whether it became different. */
function face({ badge, trayTitle, tooltip, mood, menu }: Attention): string {
  return JSON.stringify([badge, trayTitle, tooltip, mood, menu])
}
