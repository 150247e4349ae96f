/** Minutes after midnight as `22:30`. */
export function timeOf(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}

/** `22:30` as minutes after midnight; undefined when it is no time of day. */
export function minutesOf(time: string): number | undefined {
  const match = /^(\d{2}):(\d{2})/.exec(time)
  if (match === null) return undefined
  const minutes = Number(match[1]) * 60 + Number(match[2])
  return minutes < 1_440 ? minutes : undefined
}
