import type { Ticket } from '../../../shared/domain/ticket.ts'
import type { Task } from '../../../shared/domain/task.ts'
import type { NotificationRecord } from '../../../shared/ipc/desk-calls.ts'
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
  /** Empty for a group over several hosts. */
  host: string
  ticketId?: string | undefined
  /** `askDigest` of what was shown; an answer to anything else is refused. Present with `ticketId`. */
  seen?: string | undefined
  /** Keys of what a group stands for; it is withdrawn when none of them is true any more. */
  members?: readonly string[] | undefined
}

/** Why nothing was shown. */
export type SuppressedWhy = 'off' | 'quiet' | 'visible' | 'muted' | 'burst' | 'old' | 'not_for_you'

/** What was decided about an earlier wish. */
export interface Remembered {
  state: 'shown' | 'withdrawn' | 'suppressed'
  /** When it came into this state (ms since the epoch). */
  at: number
  title?: string | undefined
  /** Of what is or was shown. */
  shownAt?: number | undefined
  route?: string | undefined
  members?: readonly string[] | undefined
  /** Of what is suppressed: one of SuppressedWhy, or what the shell said. `quiet` is looked at again later. */
  why?: string | undefined
}

/** One entry of the tray's menu. */
export type TrayEntry =
  | { kind: 'heading'; label: string }
  | {
      kind: 'ticket'
      host: string
      ticketId: string
      /** `askDigest` of what was shown. */
      seen: string
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
  /** `since`: beginning of the outage, the same until it ends. `mayAnswer` false: this desk cannot answer for the person there. */
  hosts: readonly {
    name: string
    isOffline: boolean
    since: number
    openTasks: number
    mayAnswer: boolean
  }[]
  running: number
  /** Tickets that the person has answered here and that are on their way, as `host/ticketId`. */
  answeredHere: ReadonlySet<string>
  /** What was decided about earlier wishes, by key. */
  memory: ReadonlyMap<string, Remembered>
  /** Routes that are on a screen that has the keyboard. */
  visible: readonly string[]
  /** When this desk was started for the first time (ms since the epoch); what waited then already is not announced. */
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
  suppressed: { key: string; title: string; why: SuppressedWhy }[]
  /** When to look again although nothing changed (ms since the epoch): the end of quiet, a host that may stay away. */
  wakeAt?: number | undefined
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

/** An answer that was given without opening a window. */
export type NotificationAct =
  { kind: 'approve' } | { kind: 'deny' } | { kind: 'option'; label: string } | { kind: 'text'; text: string }

/** An answer to what was shown of a ticket. */
export interface ShownAct {
  host: string
  ticketId: string
  /** `askDigest` of what was shown. */
  seen: string
  action: NotificationAct
}

/** Keeps looking at the state and carries out what `attend` says. */
export interface AttentionService {
  /** As of the last look; what it wanted to show or withdraw was already carried out. */
  current(): Attention
  /** Tells when the badge, tray or menu became different. */
  onChange(listener: (attention: Attention) => void): () => void
  /** Newest first. */
  log(): NotificationRecord[]
  /** Shows a notification now, whatever is switched off, and says what became of it. */
  test(): { outcome: 'shown' | 'unsupported' | 'failed'; why?: string }
  /** Where a window is and whether it has the keyboard. */
  focus(windowId: string, where: { route: string; focused: boolean }): void
  windowClosed(windowId: string): void
  /** After sleep or when the language of the system changed: timers may be late. */
  lookAgain(): void
  dispose(): void
}
