import { askDigest } from '../../../shared/node/ask-digest.ts'
import { HOSTS_ROUTE, INBOX_ROUTE, reviewRoute, taskRoute, ticketRoute } from '../../../shared/ipc/routes.ts'
import { isForPerson, outages, type Waiting } from './subjects.ts'
import type { Attention, AttentionInput, TrayEntry } from './types.ts'
import { hostLabel, shortLine, taskName, ticketActions, ticketLine } from './wishes.ts'
import { type Words, wordsOf } from '../words/words.ts'

const MAX_TICKETS = 8
const MAX_REVIEWS = 5
const MAX_TROUBLES = 3
const LINE_COLUMNS = 60
const NAME_COLUMNS = 30

/**
 * What can be seen without opening a window. The badge counts what only the person can decide: permissions and questions, not
 * reviews, which can wait; the menu lists both, the newest first.
 */
export function trayOf(
  input: AttentionInput,
  waiting: readonly Waiting[],
): Pick<Attention, 'badge' | 'trayTitle' | 'tooltip' | 'mood' | 'menu'> {
  const words = wordsOf(input.language)
  const mine = waiting.filter(isForPerson).sort((a, b) => b.ticket.openedAt - a.ticket.openedAt)
  const decisions = mine.filter(({ ticket }) => ticket.ask.kind !== 'review')
  const reviews = mine.filter(({ ticket }) => ticket.ask.kind === 'review')
  const badge = decisions.length
  const away = outages(input)
  const state = badge > 0 ? [words('glance.needYou', { count: badge })] : [words('glance.nothing')]
  const lines = [
    ...state,
    ...(input.running > 0 ? [words('glance.running', { count: input.running })] : []),
    ...away
      .slice(0, MAX_TROUBLES)
      .map(({ name }) => words('notification.hostOffline', { host: hostLabel(name, words) })),
  ]
  return {
    badge,
    trayTitle: badge > 0 ? String(badge) : '',
    tooltip: ['Handoff', ...lines].join('\n'),
    mood: badge > 0 ? 'waiting' : away.length > 0 ? 'offline' : 'quiet',
    menu: withSeparators([
      [{ kind: 'heading', label: state.join('') }, ...ticketEntries(decisions, input, words)],
      reviewEntries(reviews, words),
      troubleEntries(input, words),
      input.running > 0
        ? [{ kind: 'heading', label: words('glance.running', { count: input.running }) }]
        : [],
    ]),
  }
}

function withSeparators(parts: TrayEntry[][]): TrayEntry[] {
  return parts
    .filter((part) => part.length > 0)
    .flatMap((part, index) => (index === 0 ? part : [{ kind: 'separator' as const }, ...part]))
}

function ticketEntries(decisions: Waiting[], input: AttentionInput, words: Words): TrayEntry[] {
  const hidden = decisions.length - MAX_TICKETS
  const entries = decisions.slice(0, MAX_TICKETS).map(({ host, ticket, task }): TrayEntry => {
    const mayAnswer = input.hosts.find(({ name }) => name === host)?.mayAnswer ?? true
    const where = `${shortLine(taskName(task), NAME_COLUMNS)} · ${hostLabel(host, words)}`
    return {
      kind: 'ticket',
      host,
      ticketId: ticket.id,
      seen: askDigest(ticket.ask),
      label: `${ticketLine(ticket, LINE_COLUMNS)} · ${where}`,
      route: ticketRoute(host, ticket),
      actions: ticketActions(ticket, { words, hideContent: false, mayAnswer, columns: LINE_COLUMNS }),
    }
  })
  return hidden > 0 ? [...entries, moreEntry(hidden, words)] : entries
}

function reviewEntries(reviews: Waiting[], words: Words): TrayEntry[] {
  const hidden = reviews.length - MAX_REVIEWS
  const entries = reviews.slice(0, MAX_REVIEWS).map(({ host, ticket, task }): TrayEntry => ({
    kind: 'task',
    label: words('glance.ready', { title: taskName(task) }),
    route: reviewRoute(host, ticket.taskId),
  }))
  return hidden > 0 ? [...entries, moreEntry(hidden, words)] : entries
}

function troubleEntries(input: AttentionInput, words: Words): TrayEntry[] {
  const hosts = outages(input).map(({ name }): TrayEntry => ({
    kind: 'task',
    label: words('notification.hostOffline', { host: hostLabel(name, words) }),
    route: HOSTS_ROUTE,
  }))
  // What failed is over: it is announced, but does not stay in the menu.
  const tasks = input.troubled.flatMap(({ host, task, kind }): TrayEntry[] =>
    kind === 'failed'
      ? []
      : [
          {
            kind: 'task',
            label: words(`notification.${kind}`, { title: taskName(task) }),
            route: taskRoute(host, task.id),
          },
        ],
  )
  const all = [...hosts, ...tasks]
  const hidden = all.length - MAX_TROUBLES
  return hidden > 0 ? [...all.slice(0, MAX_TROUBLES), moreEntry(hidden, words)] : all
}

function moreEntry(count: number, words: Words): TrayEntry {
  return { kind: 'task', label: words('glance.more', { count }), route: INBOX_ROUTE }
}
