import type { Style } from './style.ts'
import { clock } from './time.ts'
import { visibleLine } from '../../shared/domain/visible.ts'

const LEVELS: Record<number, string> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
}
const NOT_SHOWN = new Set(['level', 'time', 'msg', 'pid', 'hostname', 'v'])

/** A line of agentd's log (pino's JSON lines) for people; a line that is not JSON stays as it is. */
export function logLine(line: string, style: Style, now: number): string {
  const fields = parse(line)
  if (fields === undefined) return visibleLine(line)
  const level =
    typeof fields['level'] === 'number'
      ? (LEVELS[fields['level']] ?? String(fields['level']))
      : String(fields['level'] ?? '')
  const at = typeof fields['time'] === 'number' ? fields['time'] : Date.parse(String(fields['time'] ?? ''))
  const paint =
    level === 'error' || level === 'fatal' ? style.red : level === 'warn' ? style.yellow : style.dim
  const rest = Object.entries(fields)
    .filter(([name]) => !NOT_SHOWN.has(name))
    .map(
      ([name, value]) =>
        `${style.dim(`${name}=`)}${visibleLine(typeof value === 'string' ? value : JSON.stringify(value))}`,
    )
  const time = Number.isNaN(at) ? '' : clock(at, now)
  return [style.dim(time), paint(level.padEnd(5)), visibleLine(String(fields['msg'] ?? '')), ...rest]
    .join(' ')
    .trim()
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
