import { isOver, shortId } from '../../shared/domain/task.ts'
import { truncate } from '../../shared/domain/text-width.ts'
import type { Ticket } from '../../shared/domain/ticket.ts'
import type { CallOutput } from '../../shared/protocol.ts'
import { eventWords, knownEvent } from './event-words.ts'
import type { Style } from './style.ts'
import { ticketText } from './ticket-text.ts'
import { ago, clock, duration } from './time.ts'
import { visibleLine, visibleText } from '../../shared/domain/visible.ts'
import { actorWords, answerWords, oldestFirst, statePaint, stateWords, ticketRef } from './words.ts'
import { wrap } from './wrap.ts'

interface Input {
  host: string
  full: CallOutput<'task.get'>
  wholePlan: boolean
  next: readonly string[]
  style: Style
  columns: number
  now: number
}

/** The whole page of `handoff show`. */
export function showText(input: Input): string {
  const sections = [
    header(input),
    waiting(input),
    lastWords(input),
    plan(input),
    rounds(input),
    history(input),
    nextSteps(input),
  ]
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`
}

const NAME_COLUMNS = 12

function header({ host, full: { task, personConnected }, style, now, columns }: Input): string {
  const lines: [string, string][] = [
    ['state', `${statePaint(style, task)(stateWords(task, now))}, ${ago(task.updatedAt, now)}`],
    ['host', host],
    [
      'executor',
      `${task.executor}${task.session === undefined ? '' : style.dim(`  session ${visibleLine(task.session)}`)}`,
    ],
    ['repository', visibleLine(task.repo.path)],
    ['worktree', `${visibleLine(task.worktree)}${task.inPlace ? '  (the repository itself)' : ''}`],
    ['branch', task.branch],
    [
      'commits',
      `${task.base.slice(0, 10)}${task.head === undefined || task.head === task.base ? ', none of its own yet' : `..${task.head.slice(0, 10)}`}`,
    ],
    ['round', String(task.round)],
    ['dispatched', `${ago(task.createdAt, now)} by ${actorWords(task.dispatchedBy)}`],
  ]
  if (task.origin !== undefined && (host !== 'local' || task.origin.repoPath !== task.repo.path))
    lines.push(['from', `${visibleLine(task.origin.machine)}:${visibleLine(task.origin.repoPath)}`])
  if (task.endedAt !== undefined)
    lines.push([
      'ended',
      `${ago(task.endedAt, now)} after ${duration(task.endedAt - task.createdAt)}${task.endReason === undefined ? '' : `: ${visibleLine(task.endReason)}`}`,
    ])
  if (task.summary !== undefined)
    lines.push([
      'summary',
      wrap(visibleLine(task.summary), columns - NAME_COLUMNS - 2).join(`\n${' '.repeat(NAME_COLUMNS + 2)}`),
    ])
  if (!isOver(task.state)) lines.push(['person', personConnected ? 'connected now' : 'not connected'])
  const rows = lines.map(([name, value]) => `  ${style.dim(name.padEnd(NAME_COLUMNS))}${value}`)
  return [`${style.bold(`${shortId(task.id)}  ${visibleLine(task.title)}`)}`, ...rows].join('\n')
}

function waiting({ full: { tickets, events, personConnected }, style, now, columns }: Input): string {
  const open = oldestFirst(tickets.filter((ticket) => ticket.state === 'open'))
  const undelivered = tickets.filter(isOnItsWay)
  if (open.length + undelivered.length === 0) return ''
  const lines = [style.bold('Waiting')]
  for (const ticket of open) {
    const what = ticket.ask.kind === 'review' ? roundEnd(events, ticket.ask.round) : undefined
    lines.push(indented(ticketText(ticket, { style, columns: columns - 2, what })))
    const absent =
      ticket.audience === 'user' && !personConnected ? ' — nobody is connected as the person, tell them' : ''
    lines.push(`    ${style.dim(`open for ${duration(now - ticket.openedAt)}`)}${style.yellow(absent)}`)
  }
  for (const ticket of undelivered) lines.push(`  ${undeliveredLine(ticket)}`)
  return lines.join('\n')
}

/** A review ticket does not tell a round that failed from one that was finished; the history does. */
function roundEnd(events: Input['full']['events'], round: number): string | undefined {
  const failed = events
    .map(knownEvent)
    .some((event) => event?.type === 'turn_failed' && event.body.round === round)
  return failed ? `round ${round} ended in an error` : undefined
}

/** An accepted review is never delivered: there is nobody left to tell. */
function isOnItsWay({ state, answer }: Ticket): boolean {
  return (state === 'answered' && answer?.kind !== 'done') || state === 'failed'
}

function undeliveredLine(ticket: Ticket): string {
  const answer = ticket.answer === undefined ? 'answered' : answerWords(ticket.answer)
  const state =
    ticket.state === 'failed' ? 'could not be delivered yet, it is tried again' : 'is being delivered'
  return `${ticketRef(ticket)} ${answer}: ${state}`
}

function lastWords({ full: { task, events }, style, columns }: Input): string {
  if (task.state !== 'failed') return ''
  const crash = events.map(knownEvent).findLast((event) => event?.type === 'crashed')
  if (crash?.type !== 'crashed' || crash.body.logTail.trim() === '') return ''
  // It is the picture of a dead pane: what tmux and empty rows add to it says nothing.
  const tail = visibleText(crash.body.logTail)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '' && !/^(Pane is dead \(.*|[─━]+)$/.test(line))
    .slice(-15)
  const lines = tail.map((line) => style.dim(`  ${truncate(line, columns - 2)}`))
  return [style.bold('Last lines of its screen'), ...lines].join('\n')
}

const EXCERPT_LINES = 12

function plan({ full, wholePlan, style, columns }: Input): string {
  const lines = visibleText(full.plan).trimEnd().split('\n')
  const shown = wholePlan ? lines : lines.slice(0, EXCERPT_LINES).map((line) => truncate(line, columns - 2))
  const rest = lines.length - shown.length
  const more =
    rest > 0 ? [style.dim(`  … ${rest} more lines: handoff show ${shortId(full.task.id)} --plan`)] : []
  return [style.bold('Plan'), ...shown.map((line) => (line === '' ? '' : `  ${line}`)), ...more].join('\n')
}

function rounds({ full, style, columns }: Input): string {
  if (full.rounds.length === 0) return ''
  const lines = full.rounds.map(
    (one) =>
      `  ${one.round}  ${style.dim(`${one.from.slice(0, 10)}..${one.to.slice(0, 10)}`)}  ${truncate(visibleLine(one.summary), Math.max(20, columns - 30))}`,
  )
  return [style.bold('Rounds'), ...lines].join('\n')
}

function history({ full, style, columns, now }: Input): string {
  const events = full.events.filter((event) => event.type !== 'progress' && event.type !== 'delivered')
  if (events.length === 0) return ''
  const lines = events.map((event) => {
    const time = clock(event.at, now)
    return `  ${style.dim(time)}  ${truncate(eventWords(event), Math.max(20, columns - time.length - 4))}`
  })
  const answered = full.tickets.filter((ticket) => ticket.answer !== undefined).length
  const end =
    answered === 0
      ? []
      : [style.dim(`  every decision with its exact text: handoff audit ${shortId(full.task.id)}`)]
  return [style.bold('History'), ...lines, ...end].join('\n')
}

function nextSteps({ next, full, style }: Input): string {
  const here = `handoff show ${shortId(full.task.id)}`
  const others = next.filter((command) => command !== here)
  return [style.bold('Next'), ...others.map((command) => `  ${command}`)].join('\n')
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n')
}
