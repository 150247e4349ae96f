import type { Actor } from '../../shared/domain/actor.ts'
import { isOver, type Task, type TaskState } from '../../shared/domain/task.ts'
import { shortTicketId, type Answer, type Ask, type Ticket } from '../../shared/domain/ticket.ts'
import type { Style } from './style.ts'
import { duration } from './time.ts'
import { visibleLine } from '../../shared/domain/visible.ts'

const STATES: Record<TaskState, { glyph: string; words: string }> = {
  pending: { glyph: '·', words: 'queued' },
  submitted: { glyph: '·', words: 'starting' },
  running: { glyph: '●', words: 'working' },
  waiting_answer: { glyph: '?', words: 'needs an answer' },
  waiting_review: { glyph: '◆', words: 'ready for review' },
  completed: { glyph: '✓', words: 'done' },
  failed: { glyph: '✗', words: 'failed' },
  cancelled: { glyph: '⊘', words: 'cancelled' },
}

/** Glyph and words of a task's state, with attention marks. */
export function stateWords(task: Pick<Task, 'state' | 'stalledSince' | 'offlineSince'>, now: number): string {
  const { glyph, words } = STATES[task.state]
  const marks: string[] = []
  if (!isOver(task.state) && task.stalledSince !== undefined)
    marks.push(`silent ${duration(now - task.stalledSince)}`)
  if (!isOver(task.state) && task.offlineSince !== undefined)
    marks.push(`executor offline ${duration(now - task.offlineSince)}`)
  return `${marks.length > 0 ? '!' : glyph} ${words}${marks.length > 0 ? ` (${marks.join(', ')})` : ''}`
}

/** The colour that goes with a state. */
export function statePaint(
  style: Style,
  task: Pick<Task, 'state' | 'stalledSince' | 'offlineSince'>,
): (text: string) => string {
  if (!isOver(task.state) && (task.stalledSince ?? task.offlineSince) !== undefined) return style.red
  switch (task.state) {
    case 'pending':
    case 'submitted':
      return style.dim
    case 'running':
      return style.cyan
    case 'waiting_answer':
    case 'waiting_review':
      return style.yellow
    case 'completed':
      return style.green
    case 'failed':
      return style.red
    case 'cancelled':
      return style.dim
  }
}

/** Who did something, in words. */
export function actorWords(actor: Actor): string {
  switch (actor.kind) {
    case 'agentd':
      return 'Handoff itself'
    case 'rule':
      return `rule ${actor.ruleId}`
    case 'client': {
      const name = visibleLine(actor.name === '' ? actor.clientId : actor.name)
      const proof = actor.via === 'terminal' ? ', typed on a terminal' : ''
      return `${name} (${actor.role}${proof})`
    }
  }
}

/** What was answered, in words. */
export function answerWords(answer: Answer): string {
  switch (answer.kind) {
    case 'approve':
      return answer.remember === undefined
        ? 'approved once'
        : `approved, remembered for this ${answer.remember.scope === 'repo' ? 'repository' : 'task'} as “${visibleLine(answer.remember.pattern)}”`
    case 'deny': {
      const told = answer.message === undefined ? '' : `: ${visibleLine(answer.message)}`
      return `denied${answer.stop ? ' and stopped' : ''}${told}`
    }
    case 'text':
      return `“${visibleLine(answer.text)}”`
    case 'options':
      return answer.labels.map((label) => `“${visibleLine(label)}”`).join(', ')
    case 'continue':
      return `sent back: ${visibleLine(answer.text)}`
    case 'done':
      return 'accepted as done'
  }
}

const ACTIONS = {
  command: 'run a command',
  edit: 'edit files',
  fetch: 'fetch from the network',
  outside: 'reach outside the worktree',
  other: 'use a tool',
} as const

/** What an ask wants, in a few words without the text itself. */
export function askWords(ask: Ask): string {
  switch (ask.kind) {
    case 'permission':
      return `wants to ${ACTIONS[ask.action]}${ask.risk.level === 'dangerous' ? ' — dangerous' : ''}`
    case 'question':
      return ask.topic === 'product' ? 'asks a product question' : 'asks a question'
    case 'review':
      return `finished round ${ask.round}`
  }
}

/** How a ticket is named to people and in commands: `3fa2c1d0:per_1`. */
export function ticketRef(ticket: Pick<Ticket, 'id'>): string {
  return shortTicketId(ticket.id)
}

/** The text of an ask as one safe line. */
export function askLine(ask: Ask): string {
  return visibleLine(ask.text)
}

/** Tickets in the order in which they were opened; of two at once, the one with the lower number. */
export function oldestFirst<T extends Pick<Ticket, 'id'> & Partial<Pick<Ticket, 'openedAt'>>>(
  tickets: readonly T[],
): T[] {
  return tickets.toSorted(
    (one, other) =>
      (one.openedAt ?? 0) - (other.openedAt ?? 0) || one.id.localeCompare(other.id, 'en', { numeric: true }),
  )
}
