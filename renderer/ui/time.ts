import { useSyncExternalStore } from 'react'
import { createListeners } from '../../shared/listeners.ts'
import type { Translate } from '../i18n/i18n.ts'

const MINUTE = 60_000
let now = Date.now()
const watchers = createListeners()
let timer: number | undefined

/** The time of now in ms, renewed every 15 s for everything that shows an age. */
export function useNow(): number {
  return useSyncExternalStore(watch, () => now)
}

function watch(watcher: () => void): () => void {
  timer ??= window.setInterval(() => {
    now = Date.now()
    watchers.tell()
  }, 15_000)
  return watchers.add(watcher)
}

/** How long ago, short enough for a list: `now`, `6m`, `2h`, `4d`. A clock that is ahead counts as now. */
export function age(since: number, now: number, t: Translate): string {
  const minutes = Math.floor(Math.max(0, now - since) / MINUTE)
  if (minutes < 1) return t('common.now')
  if (minutes < 60) return t('common.ago.minutes', { count: minutes })
  if (minutes < 60 * 24) return t('common.ago.hours', { count: Math.floor(minutes / 60) })
  return t('common.ago.days', { count: Math.floor(minutes / (60 * 24)) })
}

/** The farthest moment that a Date can be (ECMA-262, time values), in ms. */
const FARTHEST_MS = 8.64e15

/** A time from a host as a Date can have it: one beyond that would end the whole screen with a RangeError. */
export function possibleTime(at: number): number {
  return Math.max(-FARTHEST_MS, Math.min(FARTHEST_MS, at))
}

/** Date and time of day in the window's language. */
export function fullTime(at: number, language: string): string {
  return formatOf(language, 'full').format(possibleTime(at))
}

/** Hours and minutes, always of the same width: 24 hours in both languages, as in logs and in the timeline. */
export function shortTime(at: number, language: string): string {
  return formatOf(language, 'short').format(possibleTime(at))
}

/** The time of day, with the date when it was another day. */
export function clockTime(at: number, now: number, language: string): string {
  if (new Date(at).toDateString() !== new Date(now).toDateString()) return fullTime(at, language)
  return shortTime(at, language)
}

const forms = {
  full: { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' },
  short: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
} as const
const formats = new Map<string, Intl.DateTimeFormat>()

/** Making one takes longer than drawing a row, so each is made once. */
function formatOf(language: string, kind: keyof typeof forms): Intl.DateTimeFormat {
  const key = `${language} ${kind}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : language, forms[kind])
  formats.set(key, made)
  return made
}
