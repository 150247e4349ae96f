import { truncate } from '../../shared/domain/text-width.ts'
import type { PermissionAsk, Ticket } from '../../shared/domain/ticket.ts'
import type { Style } from './style.ts'
import { exactText, visibleLine, visibleText } from '../../shared/domain/visible.ts'
import { splitAtBytes } from './split-at-bytes.ts'
import { askWords, ticketRef } from './words.ts'
import { wrap } from './wrap.ts'

/**
 * A ticket for people: who is asked, what for, the exact text with its dangerous part marked, options. `what` says it
 * better than the ask alone can.
 */
export function ticketText(
  ticket: Ticket,
  { style, columns, what }: { style: Style; columns: number; what?: string | undefined },
): string {
  const { ask } = ticket
  const audience =
    ticket.audience === 'user' ? style.magenta('for the person') : style.dim('for the reviewer')
  const lines = [`${style.bold(ticketRef(ticket))}  ${what ?? askWords(ask)}  ${audience}`]
  if (ask.kind !== 'review' && ask.subagent !== undefined)
    lines.push(style.dim(`  asked by its sub-agent ${visibleLine(ask.subagent)}`))
  if (ask.kind === 'permission') lines.push(...permissionLines(ask, style, columns))
  else lines.push(...wrap(visibleText(ask.text), columns - 2).map((line) => `  ${line}`))
  if (ask.kind === 'question')
    for (const option of ask.options) {
      const description =
        option.description === undefined ? '' : style.dim(`  ${visibleLine(option.description)}`)
      lines.push(`  ${style.cyan('○')} ${visibleLine(option.label)}${description}`)
    }
  if (ticket.escalation !== undefined)
    lines.push(style.yellow(`  handed to the person: ${visibleLine(ticket.escalation.why)}`))
  return lines.join('\n')
}

const DIFF_LINES = 20

function permissionLines(ask: PermissionAsk, style: Style, columns: number): string[] {
  const lines = exactLines(ask, style).map((line) => `  ${style.dim('│')} ${line}`)
  if (ask.description !== undefined)
    lines.push(style.dim(`  ${truncate(visibleLine(ask.description), columns - 2)}`))
  if (ask.risk.sentence !== undefined)
    lines.push(
      `  ${ask.risk.level === 'dangerous' ? style.red(`⚠ ${visibleLine(ask.risk.sentence)}`) : style.dim(visibleLine(ask.risk.sentence))}`,
    )
  if (ask.diff !== undefined) {
    const diff = visibleText(ask.diff).trimEnd().split('\n')
    lines.push(...diff.slice(0, DIFF_LINES).map((line) => `    ${diffPaint(line, style)}`))
    if (diff.length > DIFF_LINES) lines.push(style.dim(`    … ${diff.length - DIFF_LINES} more lines`))
  }
  return lines
}

/** The exact text of a permission with control characters made visible and its dangerous part marked. */
export function exactLines(ask: PermissionAsk, style: Style): string[] {
  const { span } = ask.risk
  if (span === undefined || ask.risk.level !== 'dangerous') return exactText(ask.text).split('\n')
  const [before, danger, after] = splitAtBytes(ask.text, span)
  // Each line is painted by itself, so that a colour never runs over a line's end.
  const marked = exactText(danger)
    .split('\n')
    .map((line) => (line === '' ? '' : style.red(style.underline(line))))
    .join('\n')
  return `${exactText(before)}${marked}${exactText(after)}`.split('\n')
}

/** A line of a diff in git's colours. */
export function diffPaint(line: string, style: Style): string {
  if (/^(diff |index |--- |\+\+\+ |new file|deleted file|similarity|rename |old mode|new mode)/.test(line))
    return style.bold(line)
  if (line.startsWith('@@')) return style.cyan(line)
  if (line.startsWith('+')) return style.green(line)
  if (line.startsWith('-')) return style.red(line)
  return line
}
