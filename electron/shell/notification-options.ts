import type { NotificationConstructorOptions } from 'electron'
import type { WishedNotification } from '../services/attention/types.ts'
import type { Words } from '../services/words/words.ts'

/** The buttons that stand on it; a click on the notification itself already opens. */
export function buttonsOf(wish: WishedNotification): WishedNotification['actions'] {
  return wish.actions.filter(({ id }) => id !== 'open')
}

/** What is told to the system. A permission without an approve button is dangerous: it has to be looked at, and stays. */
export function notificationOptions(
  wish: WishedNotification,
  words: Words,
  silent: boolean,
): NotificationConstructorOptions {
  const isDangerous = wish.kind === 'permission' && !wish.actions.some(({ id }) => id === 'approve')
  const waits = wish.kind === 'permission' || wish.kind === 'question'
  return {
    // The same key replaces what the system still shows of it, also from before a restart.
    id: wish.key,
    title: wish.title,
    body: wish.body,
    silent,
    actions: buttonsOf(wish).map(({ label }) => ({ type: 'button', text: label })),
    hasReply: wish.reply,
    ...(wish.reply ? { replyPlaceholder: words('notification.typeReply') } : {}),
    timeoutType: waits ? 'never' : 'default',
    urgency: isDangerous ? 'critical' : 'normal',
  }
}
