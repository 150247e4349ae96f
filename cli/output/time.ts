const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A length of time in one or two units: `45s`, `3m`, `2h 5m`, `4d`. */
export function duration(ms: number): string {
  if (ms < MINUTE) return `${Math.max(0, Math.floor(ms / SECOND))}s`
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)}m`
  if (ms < DAY) {
    const minutes = Math.floor((ms % HOUR) / MINUTE)
    return `${Math.floor(ms / HOUR)}h${minutes === 0 ? '' : ` ${minutes}m`}`
  }
  return `${Math.floor(ms / DAY)}d`
}

/** How long ago, as people say it: `just now`, `3m ago`. A clock that is ahead counts as now. */
export function ago(at: number, now: number): string {
  const ms = now - at
  return ms < 5 * SECOND ? 'just now' : `${duration(ms)} ago`
}

/** Local clock time for today, date and time for other days. */
export function clock(at: number, now: number): string {
  const date = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  const time = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
  if (date.toDateString() === new Date(now).toDateString()) return time
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${time.slice(0, 5)}`
}

/** A size in bytes as people read it. */
export function size(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`
}
