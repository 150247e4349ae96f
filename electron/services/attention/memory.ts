import type { Attention, Remembered } from './types.ts'

/** After this what is not open any more is forgotten. */
const FORGET_AFTER_MS = 30 * 24 * 3_600_000

/** What changed in the memory by one evaluation that was carried out. */
export function remembered(
  memory: ReadonlyMap<string, Remembered>,
  { show, suppressed, withdraw }: Pick<Attention, 'show' | 'suppressed' | 'withdraw'>,
  at: number,
): Map<string, Remembered> {
  const changed = new Map<string, Remembered>()
  for (const { key, why } of suppressed) changed.set(key, { state: 'suppressed', at, why })
  for (const { key, title, route, members } of show)
    changed.set(key, { state: 'shown', at, title, shownAt: at, route, members })
  for (const key of withdraw) changed.set(key, { ...memory.get(key), state: 'withdrawn', at })
  return changed
}

/** Keys that can be forgotten: old and not open, or a reviewer's that is not open. Times from the future are old, too. */
export function forgettable(
  memory: ReadonlyMap<string, Remembered>,
  isOpen: (key: string) => boolean,
  now: number,
): string[] {
  return [...memory].flatMap(([key, { at, why, state }]) => {
    if (state === 'shown' || isOpen(key)) return []
    return why === 'not_for_you' || Math.abs(now - at) > FORGET_AFTER_MS ? [key] : []
  })
}
