import { isRiskReason } from '../../../shared/domain/risk/reasons.ts'
import { displayWidth, truncate } from '../../../shared/domain/text-width.ts'
import type { Task } from '../../../shared/domain/task.ts'
import type { PermissionAsk, QuestionAsk, Ticket } from '../../../shared/domain/ticket.ts'
import { visibleLine } from '../../../shared/domain/visible.ts'
import { askDigest } from '../../../shared/node/ask-digest.ts'
import { reviewRoute, ticketRoute } from '../../../shared/ipc/routes.ts'
import type { WishedNotification } from './types.ts'
import type { Words } from '../words/words.ts'

/** Characters of one column that stand for themselves. */
const PLAIN = /^[\x20-\x7e]*$/
const TITLE_COLUMNS = 100
const BODY_COLUMNS = 240
const NAME_COLUMNS = 60
const LABEL_COLUMNS = 40
/** More buttons than this are cut off or folded away by the systems that show them. */
const MAX_OPTION_BUTTONS = 3

type Actions = WishedNotification['actions']

/** How everything is worded: the language, and whether commands and questions are left out. */
export interface Wording {
  words: Words
  hideContent: boolean
}

/** Text from outside as one short line: control and reordering characters made visible, cut to columns. */
export function shortLine(text: string, columns: number): string {
  // Thousands of lines are worded at once, and nearly all of them are like this.
  if (text.length <= columns && PLAIN.test(text)) return text
  // Only the beginning can be seen; the rest of a long text is not worth looking at.
  return truncate(visibleLine(text.slice(0, columns * 4).replace(/\p{Surrogate}/gu, '\ufffd')), columns)
}

/** The name of a task as a part of a sentence. */
export function taskName(task: Task | undefined): string {
  return task ? shortLine(task.title, NAME_COLUMNS) : '…'
}

/** What a host is called. */
export function hostLabel(host: string, words: Words): string {
  return host === 'local' ? words('glance.localHost') : host
}

/**
 * The buttons of a ticket of which `columns` are shown. Approving is among them only when all that is approved can be read
 * beside the button: not what is dangerous (that takes the window, where the key is held), longer than one such line, or an
 * edit, whose changes are not shown.
 */
export function ticketActions(
  ticket: Ticket,
  { words, hideContent, mayAnswer, columns }: Wording & { mayAnswer: boolean; columns: number },
): Actions {
  const open = { id: 'open' as const, label: words('decide.open') }
  const { ask } = ticket
  if (!mayAnswer || ask.kind === 'review') return [open]
  if (ask.kind === 'permission') {
    const deny = { id: 'deny' as const, label: words('notification.deny') }
    const isBlind = hideContent || ask.risk.level !== 'routine' || !isWhole(ask, columns)
    return isBlind ? [open, deny] : [{ id: 'approve', label: words('decide.approve') }, deny]
  }
  if (hideContent) return [open]
  return optionButtons(ask) ?? [{ id: 'open', label: words('decide.answer') }]
}

function isWhole({ text, diff }: PermissionAsk, columns: number): boolean {
  return diff === undefined && !text.trim().includes('\n') && shortLine(text, columns) === visibleLine(text)
}

function optionButtons({ options, multiple }: QuestionAsk): Actions | undefined {
  if (multiple || options.length === 0 || options.length > MAX_OPTION_BUTTONS) return undefined
  return options.map(({ label }) => ({ id: 'option', label: shortLine(label, LABEL_COLUMNS), value: label }))
}

/** What is wanted, as the end of "devbox wants to …". */
function wantOf({ action, risk }: PermissionAsk, words: Words): string {
  if (risk.level === 'routine') return words(`request.${action}`)
  return words(`danger.${isRiskReason(risk.reason) ? risk.reason : 'unknown'}`)
}

/** The first line of what a ticket is about, as a row of a list. */
export function ticketLine(ticket: Ticket, columns: number): string {
  return shortLine(ticket.ask.text, columns)
}

/** The notification of one open ticket. */
export function ticketWish(
  { host, ticket, task, key }: { host: string; ticket: Ticket; task: Task | undefined; key: string },
  { words, hideContent, mayAnswer }: Wording & { mayAnswer: boolean },
): WishedNotification {
  const { ask } = ticket
  const name = taskName(task)
  const where = hostLabel(host, words)
  const columns = BODY_COLUMNS - displayWidth(`${name}: `)
  const actions = ticketActions(ticket, { words, hideContent, mayAnswer, columns })
  const canReply = mayAnswer && ask.kind === 'question' && !hideContent && actions[0]?.id !== 'option'
  const text = ask.kind === 'review' ? `${where}: ${ask.text}` : `${name}: ${ask.text}`
  return {
    key,
    kind: ask.kind,
    title: ticketTitle({ host, ticket, task }, { words, hideContent }),
    body: hideContent
      ? `${ask.kind === 'review' ? where : name}: ${words('notification.hidden')}`
      : shortLine(text, BODY_COLUMNS),
    route: ask.kind === 'review' ? reviewRoute(host, ticket.taskId) : ticketRoute(host, ticket),
    actions,
    reply: canReply,
    host,
    ticketId: ticket.id,
    seen: askDigest(ask),
  }
}

/** The title of that notification; of thousands that are kept back nothing else is written down. */
export function ticketTitle(
  { host, ticket: { ask }, task }: { host: string; ticket: Ticket; task: Task | undefined },
  { words, hideContent }: Wording,
): string {
  const where = hostLabel(host, words)
  if (ask.kind === 'review') return shortLine(words('glance.ready', { title: taskName(task) }), TITLE_COLUMNS)
  if (ask.kind === 'question') return shortLine(words('notification.asks', { host: where }), TITLE_COLUMNS)
  // Of a dangerous command the reason alone says much; hidden means hidden.
  const what = hideContent ? words(`request.${ask.action}`) : wantOf(ask, words)
  return shortLine(words('notification.wants', { host: where, what }), TITLE_COLUMNS)
}

/** The title of a notification about trouble. */
export function troubleTitle(title: string): string {
  return shortLine(title, TITLE_COLUMNS)
}

/** A notification with nothing to decide: about a task in trouble or a host that is away. */
export function troubleWish(
  what: { key: string; title: string; body: string; route: string; host: string },
  words: Words,
): WishedNotification {
  return {
    ...what,
    kind: 'trouble',
    title: troubleTitle(what.title),
    body: shortLine(what.body, BODY_COLUMNS),
    actions: [{ id: 'open', label: words('decide.open') }],
    reply: false,
  }
}
