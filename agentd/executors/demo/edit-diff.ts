const CONTEXT_LINES = 3

/** The change of a whole file as a unified diff with one hunk; `before` is undefined for a new file. */
export function editDiff(path: string, before: string | undefined, after: string): string {
  const old = linesOf(before ?? '')
  const next = linesOf(after)
  let same = 0
  while (same < Math.min(old.length, next.length) && old[same] === next[same]) same += 1
  let tail = 0
  while (
    tail < Math.min(old.length, next.length) - same &&
    old[old.length - 1 - tail] === next[next.length - 1 - tail]
  )
    tail += 1
  const start = Math.max(0, same - CONTEXT_LINES)
  const lead = old.slice(start, same)
  const rest = old.slice(old.length - tail).slice(0, CONTEXT_LINES)
  const removed = old.slice(same, old.length - tail)
  const added = next.slice(same, next.length - tail)
  const range = (changed: readonly string[]): string => {
    const count = lead.length + changed.length + rest.length
    return `${count === 0 ? start : start + 1},${count}`
  }
  return [
    `--- ${before === undefined ? '/dev/null' : `a/${path}`}`,
    `+++ b/${path}`,
    `@@ -${range(removed)} +${range(added)} @@`,
    ...lead.map((line) => ` ${line}`),
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    ...rest.map((line) => ` ${line}`),
    '',
  ].join('\n')
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}
