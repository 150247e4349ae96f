import type { NotificationRecord } from '../../../shared/ipc/desk-calls.ts'
import type { NotificationAct, Notifier, ShownAct, WishedNotification } from './types.ts'

const MAX_REPLY_LENGTH = 100_000
const MAX_WHY_LENGTH = 200
const MAX_TITLE_LENGTH = 300

type Outcome = ReturnType<Notifier['show']>

/** Shows notifications, takes them back, and hears what the person does with them. */
export interface Announcer {
  show(wish: WishedNotification): Outcome
  withdraw(key: string): void
}

/**
 * Shows notifications and carries out their buttons. Only what a wish offered is carried out, once; an answer that fails opens
 * the place where it can be given again.
 */
export function createAnnouncer({
  notifier,
  now,
  onRecord,
  onFailed,
  onAct,
  onOpen,
}: {
  notifier: Notifier
  now: () => number
  onRecord: (record: NotificationRecord) => void
  /** The system said later that it did not show it. */
  onFailed: (key: string) => void
  onAct: (what: ShownAct) => Promise<void>
  onOpen: (route: string) => void
}): Announcer {
  function record(wish: WishedNotification, outcome: NotificationRecord['outcome'], why?: string) {
    onRecord(recordOf({ key: wish.key, title: wish.title, at: now(), outcome, why }))
  }

  function answer(wish: WishedNotification, action: NotificationAct): void {
    const { host, ticketId, seen } = wish
    if (ticketId === undefined || seen === undefined) return
    onAct({ host, ticketId, seen, action }).then(
      () => record(wish, 'answered', action.kind),
      (error: unknown) => {
        record(wish, 'failed', error instanceof Error ? error.message : String(error))
        onOpen(wish.route)
      },
    )
  }

  function open(wish: WishedNotification): void {
    record(wish, 'clicked')
    onOpen(wish.route)
  }

  return {
    show(wish) {
      let isAnswered = false
      const once = (action: NotificationAct) => {
        if (isAnswered) return
        isAnswered = true
        answer(wish, action)
      }
      const outcome = showSafely(notifier, wish, {
        click: () => open(wish),
        action(id, value) {
          const offered = wish.actions.find((action) => action.id === id && action.value === value)
          if (!offered || offered.id === 'open') open(wish)
          else if (offered.id === 'option') once({ kind: 'option', label: offered.value ?? offered.label })
          else once({ kind: offered.id })
        },
        reply(text) {
          const trimmed = text.trim()
          if (!wish.reply || trimmed === '' || trimmed.length > MAX_REPLY_LENGTH) open(wish)
          else once({ kind: 'text', text: trimmed })
        },
        failed(why) {
          record(wish, 'failed', why)
          onFailed(wish.key)
        },
      })
      record(wish, outcome.outcome, outcome.why)
      return outcome
    },

    withdraw(key) {
      notifier.withdraw(key)
    },
  }
}

function showSafely(
  notifier: Notifier,
  wish: WishedNotification,
  on: Parameters<Notifier['show']>[1],
): Outcome {
  if (!notifier.isSupported()) return { outcome: 'unsupported' }
  try {
    return notifier.show(wish, on)
  } catch (error) {
    // A system without a notification service must not stop the badge.
    return { outcome: 'failed', why: error instanceof Error ? error.message : String(error) }
  }
}

/** A record that fits its limits. */
export function recordOf({
  key,
  title,
  at,
  outcome,
  why,
}: Omit<NotificationRecord, 'why'> & { why?: string | undefined }): NotificationRecord {
  return {
    key,
    at,
    title: title.slice(0, MAX_TITLE_LENGTH),
    outcome,
    ...(why === undefined ? {} : { why: why.slice(0, MAX_WHY_LENGTH) }),
  }
}
