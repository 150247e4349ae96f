import { Notification } from 'electron'
import type { Notifier, WishedNotification } from '../services/attention/types.ts'
import type { ShellLog } from './log.ts'
import { buttonsOf, notificationOptions } from './notification-options.ts'
import type { Words } from '../services/words/words.ts'

/** More than this many at once are not kept; the oldest is closed, as the system would do. */
const MAX_KEPT = 50

/** Needs of the notifier. `isSilent` is asked for each notification. */
export interface NotifierNeeds {
  words: Words
  isSilent(): boolean
  log: ShellLog
}

/** A notifier that can also say something of the shell's own, to which there is nothing to answer. */
export interface SystemNotifier extends Notifier {
  tell(title: string, body: string, onClick?: () => void): void
}

/**
 * The system's notifications. What a platform cannot do, Electron ignores: buttons exist on all three (on Linux if the
 * desktop's notification service offers them), text reply on macOS and Windows. A shown notification is kept until it is
 * gone: one that was collected no longer answers clicks.
 */
export function createNotifier({ words, isSilent, log }: NotifierNeeds): SystemNotifier {
  const kept = new Map<string, Notification>()
  let told = 0

  function keep(key: string, notification: Notification): void {
    kept.get(key)?.close()
    kept.delete(key)
    kept.set(key, notification)
    const [oldest] = kept.keys()
    if (kept.size > MAX_KEPT && oldest !== undefined) withdraw(oldest)
  }

  function forget(key: string, notification: Notification): void {
    if (kept.get(key) === notification) kept.delete(key)
  }

  function withdraw(key: string): void {
    const notification = kept.get(key)
    kept.delete(key)
    notification?.close()
  }

  function listen(
    wish: WishedNotification,
    notification: Notification,
    on: Parameters<Notifier['show']>[1],
  ): void {
    const { key } = wish
    const actions = buttonsOf(wish)
    // Some desktops leave it there after a click; it must still be withdrawn when it is no longer true.
    notification.on('click', () => on.click())
    notification.on('action', (details) => {
      forget(key, notification)
      const action = actions[details.actionIndex]
      if (action === undefined) on.click()
      else on.action(action.id, action.value)
    })
    notification.on('reply', (details) => {
      forget(key, notification)
      on.reply(details.reply)
    })
    notification.on('failed', (_event, error) => {
      forget(key, notification)
      log.warn({ key, why: error }, 'a notification could not be shown')
      on.failed(error)
    })
    notification.on('close', (details) => {
      // After its time on the screen it lies in the list of the system, where it can still be clicked and must be withdrawn.
      if (details.reason !== 'timedOut') forget(key, notification)
    })
  }

  return {
    isSupported: () => Notification.isSupported(),
    show(wish, on) {
      if (!Notification.isSupported()) return { outcome: 'unsupported' }
      const notification = new Notification(notificationOptions(wish, words, isSilent()))
      listen(wish, notification, on)
      keep(wish.key, notification)
      notification.show()
      return { outcome: 'shown' }
    },
    withdraw,
    tell(title, body, onClick) {
      if (!Notification.isSupported()) return
      const key = `shell:${(told += 1)}`
      const notification = new Notification({ title, body, silent: true })
      notification.on('click', () => {
        forget(key, notification)
        onClick?.()
      })
      notification.on('close', () => forget(key, notification))
      keep(key, notification)
      notification.show()
    },
  }
}
