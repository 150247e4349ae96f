import type { Settings } from '../../../shared/ipc/settings.ts'

const MINUTES_PER_DAY = 1_440
const MINUTE_MS = 60_000

/**
 * When quiet ends (ms since the epoch), or undefined when it is not quiet. Quiet hours may go over midnight; equal times mean
 * none. The end may be told up to a minute late.
 */
export function quietEnd(
  { quietHours, quietUntil }: Pick<Settings['notifications'], 'quietHours' | 'quietUntil'>,
  { now, minuteOfDay }: { now: number; minuteOfDay: number },
): number | undefined {
  const ends = quietUntil > now ? [quietUntil] : []
  const { enabled, from, to } = quietHours
  const inside =
    from < to
      ? minuteOfDay >= from && minuteOfDay < to
      : from > to && (minuteOfDay >= from || minuteOfDay < to)
  if (enabled && inside) ends.push(now + ((to - minuteOfDay + MINUTES_PER_DAY) % MINUTES_PER_DAY) * MINUTE_MS)
  return ends.length === 0 ? undefined : Math.max(...ends)
}
