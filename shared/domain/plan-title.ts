import { visibleLine } from './visible.ts'

/** The title of a plan: its first Markdown heading, else its first line; at most 200 characters. */
export function planTitle(plan: string): string {
  const body = plan.replace(/^---\n[\s\S]*?\n---\n/, '')
  let fenced = false
  for (const line of body.split('\n')) {
    if (/^\s*(```|~~~)/.test(line)) fenced = !fenced
    const heading = fenced ? null : /^ {0,3}#{1,6}\s+(.+?)\s*#*\s*$/.exec(line)
    if (heading?.[1] !== undefined) return cut(heading[1])
  }
  return cut(body.split('\n').find((line) => line.trim() !== '') ?? 'Task')
}

function cut(text: string): string {
  const line = visibleLine(text.replace(/[*_`]/g, ''))
  const characters = [...line]
  while (characters.join('').length > 200) characters.pop()
  return characters.join('').trim() || 'Task'
}
