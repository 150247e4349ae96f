import type { Task } from '../../../shared/domain/task.ts'
import { isReviewedByPerson } from '../../../shared/domain/deciding.ts'
import type { Ticket } from '../../../shared/domain/ticket.ts'
import { HOSTS_ROUTE, reviewRoute, taskRoute, ticketRoute } from '../../../shared/ipc/routes.ts'
import { outageKey } from './outages.ts'
import type { AttentionInput, WishedNotification } from './types.ts'
import {
  hostLabel,
  shortLine,
  taskName,
  ticketTitle,
  ticketWish,
  troubleTitle,
  troubleWish,
} from './wishes.ts'
import { type Words, wordsOf } from '../words/words.ts'

/** A host that is away for less than this is not worth a word. */
const OUTAGE_MS = 60_000
/** A failure that is older than this is history. */
const FAILURE_IS_NEWS_MS = 24 * 3_600_000
const REPO_COLUMNS = 60

/** Something that is true now and that the person may be told. */
export interface Subject {
  key: string
  kind: 'permission' | 'question' | 'review' | 'trouble'
  host: string
  /** Present where it is about one task. */
  taskId?: string | undefined
  taskTitle(): string
  route(): string
  /** When it began (ms since the epoch), by the clock of its host. */
  since: number
  /** The title of what it wishes; much less work than the whole. */
  title(): string
  wish(): WishedNotification
}

/** Open, not answered here, with what it belongs to. */
export interface Waiting {
  host: string
  ticket: Ticket
  task: Task | undefined
}

/** The key of a ticket. */
export function ticketKey(host: string, ticketId: string): string {
  return `ticket:${host}/${ticketId}`
}

/**
 * Whether a ticket is for the person to decide: when its audience is the user, or when the task was dispatched by a person or
 * from a desk, because nobody else will answer it. What an agent has ordered is else that agent's business, as is its review.
 */
export function isForPerson({ ticket, task }: Waiting): boolean {
  if (ticket.ask.kind !== 'review' && ticket.audience === 'user') return true
  return task !== undefined && isReviewedByPerson(task)
}

/** The tickets that really wait: still open, and not answered here. */
export function waitingTickets(input: Pick<AttentionInput, 'open' | 'answeredHere'>): Waiting[] {
  return input.open.filter(
    ({ host, ticket }) => ticket.state === 'open' && !input.answeredHere.has(`${host}/${ticket.id}`),
  )
}

/** Everything the person may be told, by key, in the order in which it began. */
export function subjectsOf(input: AttentionInput, waiting: readonly Waiting[]): Map<string, Subject> {
  const words = wordsOf(input.language)
  const subjects = [
    ...waiting.filter(isForPerson).map((entry) => ticketSubject(entry, input, words)),
    ...troubledTasks(input).map((entry) => taskSubject(entry, input, words)),
    // Without open tasks there, nobody waits for the host.
    ...outages(input)
      .filter(({ openTasks }) => openTasks > 0)
      .map((host) => outageSubject(host, words)),
  ]
  return new Map(subjects.sort((a, b) => a.since - b.since).map((subject) => [subject.key, subject]))
}

/** Keys of everything that is still open, whoever it is for. */
export function openKeys(input: AttentionInput): ReadonlySet<string> {
  const tickets = input.open.map(({ host, ticket }) => ticketKey(host, ticket.id))
  return new Set([...tickets, ...subjectsOf(input, waitingTickets(input)).keys()])
}

/** Hosts that have been away for long enough to say so. */
export function outages({ hosts, now }: Pick<AttentionInput, 'hosts' | 'now'>) {
  return hosts.filter(({ isOffline, since }) => isOffline && isLong(now - since))
}

/** When the next host will have been away for that long; undefined when none is on its way there. */
export function nextOutageAt({ hosts, now }: Pick<AttentionInput, 'hosts' | 'now'>): number | undefined {
  const soon = hosts.filter(({ isOffline, since }) => isOffline && !isLong(now - since))
  return soon.length === 0 ? undefined : Math.min(...soon.map(({ since }) => since)) + OUTAGE_MS + 1
}

/** An outage that begins later than now began before the clock was set back; nobody knows how long it has been. */
function isLong(outageMs: number): boolean {
  return outageMs > OUTAGE_MS || outageMs < 0
}

function troubledTasks({ troubled, now }: AttentionInput) {
  return troubled.filter(({ kind, since }) => kind !== 'failed' || now - since < FAILURE_IS_NEWS_MS)
}

function ticketSubject({ host, ticket, task }: Waiting, input: AttentionInput, words: Words): Subject {
  const key = ticketKey(host, ticket.id)
  const { hideContent } = input.settings.notifications
  // Worded only when asked: of a thousand that wait, few are told.
  return {
    key,
    kind: ticket.ask.kind,
    host,
    taskId: ticket.taskId,
    taskTitle: () => taskName(task),
    route: () =>
      ticket.ask.kind === 'review' ? reviewRoute(host, ticket.taskId) : ticketRoute(host, ticket),
    since: ticket.openedAt,
    title: () => ticketTitle({ host, ticket, task }, { words, hideContent }),
    wish() {
      const mayAnswer = input.hosts.find(({ name }) => name === host)?.mayAnswer ?? true
      return ticketWish({ host, ticket, task, key }, { words, hideContent, mayAnswer })
    },
  }
}

function taskSubject(
  { host, task, kind, since }: AttentionInput['troubled'][number],
  { settings }: AttentionInput,
  words: Words,
): Subject {
  const key = `trouble:${host}/${task.id}:${kind}:${since}`
  const route = taskRoute(host, task.id)
  const name = taskName(task)
  const where = `${hostLabel(host, words)} · ${shortLine(task.repo.name, REPO_COLUMNS)}`
  const reason = kind === 'failed' && !settings.notifications.hideContent ? task.endReason : undefined
  const body = reason === undefined ? where : `${where}: ${reason}`
  const title = words(`notification.${kind}`, { title: name })
  const wish = () => troubleWish({ key, title, body, route, host }, words)
  return {
    key,
    kind: 'trouble',
    host,
    taskId: task.id,
    taskTitle: () => name,
    route: () => route,
    since,
    title: () => troubleTitle(title),
    wish,
  }
}

function outageSubject({ name, since, openTasks }: AttentionInput['hosts'][number], words: Words): Subject {
  const key = outageKey(name, since)
  const title = words('notification.hostOffline', { host: hostLabel(name, words) })
  const body = words('notification.tasksWait', { count: openTasks })
  const wish = () => troubleWish({ key, title, body, route: HOSTS_ROUTE, host: name }, words)
  return {
    key,
    kind: 'trouble',
    host: name,
    taskTitle: () => title,
    route: () => HOSTS_ROUTE,
    since,
    title: () => troubleTitle(title),
    wish,
  }
}
