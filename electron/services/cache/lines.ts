import { isOver, type Task } from '../../../shared/domain/task.ts'
import { isReviewedByPerson } from '../../../shared/domain/deciding.ts'
import type { Ticket } from '../../../shared/domain/ticket.ts'
import { inboxSections } from '../../../shared/ipc/sections.ts'
import type { InboxRow, InboxSection, TaskRow } from '../../../shared/ipc/views.ts'

/** How long a task that failed stays in the inbox unless the person has opened it. */
const FAILED_STAYS_MS = 24 * 60 * 60 * 1_000

const TITLE_CHARS = 300
const SEARCH_CHARS = 1_000

/** The sections in their order; the place in this list is the number in the database. */
export const sections: readonly InboxSection[] = inboxSections

/** A line of the inbox as it is kept. */
export interface Line {
  section: number
  /** Lines of a section are shown by rising `sort`. */
  sort: number
  /** When it goes by itself, in ms since the epoch. */
  expires: number | undefined
  search: string
  row: Omit<InboxRow, 'outbox'>
}

/** The line of an open ticket: who it waits for says the section; what has waited longest is on top, except for reviews. */
export function ticketLine(host: string, ticket: Ticket, task: Task): Line {
  const { ask } = ticket
  const isPersons = ticket.audience === 'user' || isReviewedByPerson(task)
  const section: InboxSection = ask.kind === 'review' ? 'to_review' : isPersons ? 'needs_you' : 'reviewer'
  const title = ask.kind === 'review' ? task.title : firstLine(ask.text)
  return {
    section: sections.indexOf(section),
    sort: section === 'to_review' ? -ticket.openedAt : ticket.openedAt,
    expires: undefined,
    search: searchText(host, task, title),
    row: {
      ...taskFields(host, task),
      key: `${host}/${ticket.id}`,
      section,
      ticketId: ticket.id,
      kind: ask.kind === 'permission' ? ask.action : ask.kind,
      title,
      options: ask.kind === 'question' ? ask.options.slice(0, 3).map(({ label }) => label) : [],
      audience: ticket.audience,
      escalated: ticket.escalation !== undefined,
      at: ticket.openedAt,
      ...(ask.kind === 'permission' && ask.risk.level === 'dangerous' && ask.risk.reason !== undefined
        ? { riskReason: ask.risk.reason }
        : {}),
      ...(ask.kind === 'question' ? { topic: ask.topic } : {}),
      ...(ask.kind === 'review' ? resultOf(task) : {}),
      ...(ask.kind === 'review' || ask.subagent === undefined ? {} : { subagent: ask.subagent }),
    },
  }
}

/** What is wrong with a task and since when; undefined when nothing is. Offline counts before stalled. */
export function troubleOf(task: Task): { kind: 'stalled' | 'offline' | 'failed'; since: number } | undefined {
  if (task.state === 'failed') return { kind: 'failed', since: task.endedAt ?? task.updatedAt }
  if (isOver(task.state)) return undefined
  if (task.offlineSince !== undefined) return { kind: 'offline', since: task.offlineSince }
  return task.stalledSince === undefined ? undefined : { kind: 'stalled', since: task.stalledSince }
}

/**
 * The line of a task in trouble, newest first; undefined when it is fine. One that failed is a result to look at, as a round that
 * failed is, and goes after a day.
 */
export function troubleLine(host: string, task: Task): Line | undefined {
  const trouble = troubleOf(task)
  if (trouble === undefined) return undefined
  const section: InboxSection = trouble.kind === 'failed' ? 'to_review' : 'offline'
  return {
    section: sections.indexOf(section),
    sort: -trouble.since,
    expires: trouble.kind === 'failed' ? trouble.since + FAILED_STAYS_MS : undefined,
    search: searchText(host, task, ''),
    row: {
      ...taskFields(host, task),
      key: `${host}/${task.id}`,
      section,
      kind: trouble.kind,
      title: task.title,
      options: [],
      escalated: false,
      at: trouble.since,
    },
  }
}

/** A line of the list of tasks. */
export function taskRow(host: string, task: Task): TaskRow {
  return {
    key: `${host}/${task.id}`,
    host,
    taskId: task.id,
    title: task.title,
    state: task.state,
    executor: task.executor,
    repoName: task.repo.name,
    branch: task.branch,
    round: task.round,
    openTickets: task.openTickets,
    createdAt: task.createdAt,
    updatedAt: task.updatedAt,
    ...(task.state === 'waiting_review' ? resultOf(task) : {}),
    ...(task.stalledSince === undefined ? {} : { stalledSince: task.stalledSince }),
    ...(task.offlineSince === undefined ? {} : { offlineSince: task.offlineSince }),
  }
}

/** What the text filter looks at: in lower case, bounded. */
export function searchText(host: string, task: Task, title: string): string {
  const parts = [task.title, task.repo.name, host, task.executor, task.branch]
  if (title !== '' && title !== task.title) parts.unshift(title)
  return parts.join('\n').slice(0, SEARCH_CHARS).toLowerCase()
}

/** Whether lists would show the same words for both. */
export function looksTheSame(one: Task, other: Task): boolean {
  return (
    one.title === other.title &&
    one.executor === other.executor &&
    one.branch === other.branch &&
    one.repo.name === other.repo.name &&
    sameResult(one, other)
  )
}

/** The first line with something on it, cut to `TITLE_CHARS` without tearing a character apart. */
export function firstLine(text: string): string {
  const line = /\S[^\r\n]*/.exec(text)?.[0].trimEnd() ?? ''
  if (line.length <= TITLE_CHARS) return line
  const last = line.charCodeAt(TITLE_CHARS - 1)
  return line.slice(0, last >= 0xd800 && last <= 0xdbff ? TITLE_CHARS - 1 : TITLE_CHARS)
}

function sameResult({ changes: a, lastRun: run }: Task, { changes: b, lastRun: other }: Task): boolean {
  const isSameRun = run?.at === other?.at && run?.ok === other?.ok
  return isSameRun && a?.files === b?.files && a?.added === b?.added && a?.removed === b?.removed
}

function resultOf({ changes, lastRun }: Task): Pick<InboxRow, 'changes' | 'lastRun'> {
  return {
    ...(changes === undefined ? {} : { changes }),
    ...(lastRun === undefined ? {} : { lastRun }),
  }
}

function taskFields(host: string, task: Task) {
  return {
    host,
    taskId: task.id,
    taskTitle: task.title,
    executor: task.executor,
    repoName: task.repo.name,
  }
}
