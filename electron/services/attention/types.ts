import type { Ask, Ticket } from '../../../shared/domain/ticket.ts'
import type { Task } from '../../../shared/domain/task.ts'
import type { Settings } from '../../../shared/ipc/settings.ts'

/** What the tray icon says. */
export type TrayMood = 'quiet' | 'waiting' | 'offline'

/** One wish to notify. `key` names the thing, so it can be withdrawn and is never shown twice. */
export interface WishedNotification {
  key: string
  kind: 'permission' | 'question' | 'review' | 'trouble' | 'group'
  title: string
  body: string
  route: string
  /** Buttons; `approve` is never offered for what is dangerous. */
  actions: { id: 'approve' | 'deny' | 'open' | 'option'; label: string; value?: string }[]
  /** Free text may be typed into the notification (macOS). */
  reply: boolean
  host: string
  ticketId?: string | undefined
}

/** One entry of the tray's menu. */
export type TrayEntry =
  | { kind: 'heading'; label: string }
  | {
      kind: 'ticket'
      host: string
      ticketId: string
      label: string
      route: string
      actions: WishedNotification['actions']
    }
  | { kind: 'task'; label: string; route: string }
  | { kind: 'separator' }

/** Everything the attention function looks at. */
export interface AttentionInput {
  now: number
  /** Minutes after midnight, local. */
  minuteOfDay: number
  language: 'en' | 'zh'
  settings: Pick<Settings, 'notifications'>
  open: readonly { host: string; ticket: Ticket; task: Task | undefined }[]
  troubled: readonly { host: string; task: Task; kind: 'stalled' | 'offline' | 'failed'; since: number }[]
  hosts: readonly { name: string; isOffline: boolean; since: number }[]
  running: number
  /** Tickets that the person has answered here and that are on their way. */
  answeredHere: ReadonlySet<string>
  /** What was decided about earlier wishes, by key. */
  memory: ReadonlyMap<string, { state: 'shown' | 'withdrawn' | 'suppressed'; at: number }>
  /** Routes that are on a screen that has the keyboard. */
  visible: readonly string[]
  /** Nothing is announced that was already waiting when the desk started first (ms since the epoch). */
  startedAt: number
}

/** What should be seen and heard. */
export interface Attention {
  badge: number
  trayTitle: string
  tooltip: string
  mood: TrayMood
  menu: TrayEntry[]
  show: WishedNotification[]
  /** Keys of what is shown and no longer true. */
  withdraw: string[]
  suppressed: {
    key: string
    title: string
    why: 'off' | 'quiet' | 'visible' | 'muted' | 'burst' | 'old' | 'not_for_you'
  }[]
}

/** How a shell shows a notification; it says what became of it. */
export interface Notifier {
  isSupported(): boolean
  show(
    wish: WishedNotification,
    on: {
      click(): void
      action(id: string, value?: string): void
      reply(text: string): void
      failed(why: string): void
    },
  ): { outcome: 'shown' | 'unsupported' | 'failed'; why?: string }
  withdraw(key: string): void
}

/** Just what the wording needs of an ask. */
export type AskKind = Ask['kind']
