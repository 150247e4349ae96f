import { groupRoute, groupWish, isGroupKey } from './groups.ts'
import { quietEnd } from './quiet.ts'
import {
  isForPerson,
  nextOutageAt,
  type Subject,
  subjectsOf,
  ticketKey,
  type Waiting,
  waitingTickets,
} from './subjects.ts'
import { trayOf } from './tray.ts'
import type { Attention, AttentionInput, Remembered, SuppressedWhy, WishedNotification } from './types.ts'
import { shortLine, taskName } from './wishes.ts'
import { isOnScreen, isSeen } from './on-screen.ts'

/** More than this at once are told as one. */
const MAX_AT_ONCE = 3
/** Single notifications within a minute; what goes beyond is told as one. */
const MAX_PER_MINUTE = 6
const MINUTE_MS = 60_000
/** A flood makes a group now and then, not a flood of groups. */
const GROUP_EVERY_MS = 10_000
/** In its first minute the desk learns what was there before it. */
const FIRST_LOOK_MS = 60_000
const TITLE_COLUMNS = 100

/** The part of attention that must be right at once: what is seen, and what is taken back because it is not true any more. */
export function glance(input: AttentionInput): Omit<Attention, 'show' | 'suppressed' | 'wakeAt'> {
  const waiting = waitingTickets(input)
  // With thousands that wait it is most of the work, and nothing can be taken back where nothing is shown.
  const isSomeShown = [...input.memory.values()].some(({ state }) => state === 'shown')
  return {
    ...trayOf(input, waiting),
    withdraw: isSomeShown ? untrue(input, subjectsOf(input, waiting)) : [],
  }
}

/**
 * What should be seen and heard, from everything that is known. The person is told only what is theirs to decide and what is
 * in trouble, each once; what is no longer true is withdrawn. The caller keeps the memory (`remembered` in memory.ts).
 */
export function attend(input: AttentionInput): Attention {
  const waiting = waitingTickets(input)
  const subjects = subjectsOf(input, waiting)
  const sorted = sortOut(input, subjects)
  const told = tell(input, subjects, sorted)
  const quiet = quietEnd(input.settings.notifications, input)
  const wakeups = [told.wakeAt, nextOutageAt(input), sorted.isQuiet ? quiet : undefined]
  const wakeAt = wakeups.filter((at) => at !== undefined)
  return {
    ...trayOf(input, waiting),
    show: told.show,
    withdraw: [...new Set([...told.superseded, ...untrue(input, subjects)])],
    suppressed: [...notForYou(input, waiting), ...sorted.suppressed, ...told.suppressed],
    ...(wakeAt.length === 0 ? {} : { wakeAt: Math.min(...wakeAt) }),
  }
}

interface Sorted {
  fresh: Subject[]
  /** Kept back while it was quiet, still true, and it is quiet no more. */
  waited: Subject[]
  suppressed: Attention['suppressed']
  /** Something is kept back by quiet. */
  isQuiet: boolean
}

/** Whether nothing more can become of a remembered key. */
function isDecided(remembered: Remembered | undefined): boolean {
  return remembered !== undefined && remembered.why !== 'quiet' && remembered.why !== 'not_for_you'
}

function sortOut(input: AttentionInput, subjects: ReadonlyMap<string, Subject>): Sorted {
  const sorted: Sorted = { fresh: [], waited: [], suppressed: [], isQuiet: false }
  const isQuiet = quietEnd(input.settings.notifications, input) !== undefined
  for (const subject of subjects.values()) {
    const remembered = input.memory.get(subject.key)
    if (isDecided(remembered)) continue
    const hasWaited = remembered?.why === 'quiet'
    const why = whyNot(subject, input, hasWaited) ?? (isQuiet ? 'quiet' : undefined)
    if (why === 'quiet') sorted.isQuiet = true
    if (why === undefined) (hasWaited ? sorted.waited : sorted.fresh).push(subject)
    else if (remembered?.why !== why) sorted.suppressed.push(suppressedBy(subject, why))
  }
  return sorted
}

function whyNot(subject: Subject, input: AttentionInput, hasWaited: boolean): SuppressedWhy | undefined {
  const { notifications } = input.settings
  const { now, startedAt } = input
  if (!notifications.enabled || !notifications[subject.kind]) return 'off'
  if (notifications.mutedHosts.includes(subject.host)) return 'muted'
  if (isSeen(subject, input.visible)) return 'visible'
  const isFirstLook = subject.taskId !== undefined && Math.abs(now - startedAt) < FIRST_LOOK_MS
  if (!hasWaited && isFirstLook && subject.since < startedAt) return 'old'
  return undefined
}

function suppressedBy(subject: Subject, why: SuppressedWhy): Attention['suppressed'][number] {
  // Worded only when asked, as the wish itself: of a thousand in a burst the log keeps some.
  return {
    key: subject.key,
    get title() {
      return subject.title()
    },
    why,
  }
}

interface Told {
  show: WishedNotification[]
  suppressed: Attention['suppressed']
  superseded: string[]
  wakeAt?: number
}

function tell(
  input: AttentionInput,
  subjects: ReadonlyMap<string, Subject>,
  { fresh, waited }: Sorted,
): Told {
  const told: Told = { show: [], suppressed: [], superseded: [] }
  const isOneOfMany = waited.length > 1
  if (isOneOfMany) gather('quiet', waited, input, told)
  // A single thing that waited is told as itself.
  const next = isOneOfMany ? fresh : [...waited, ...fresh]
  if (next.length === 0) return told
  if (next.length <= MAX_AT_ONCE && next.length <= MAX_PER_MINUTE - shownLastMinute(input)) {
    told.show.push(...next.map((subject) => subject.wish()))
    return told
  }
  const groups = shownBursts(input)
  const lastAt = Math.max(-Infinity, ...groups.all.map(({ shownAt = 0 }) => shownAt))
  if (Math.abs(input.now - lastAt) < GROUP_EVERY_MS) {
    told.wakeAt = input.now + GROUP_EVERY_MS
    return told
  }
  const earlier = groups.open.flatMap(([, { members = [] }]) => members)
  const still = [...new Set(earlier)].flatMap((key) => subjects.get(key) ?? [])
  gather(
    'burst',
    [...still.filter(({ key }) => input.memory.get(key)?.why === 'burst'), ...next],
    input,
    told,
  )
  told.superseded.push(...groups.open.map(([key]) => key))
  return told
}

/** One notification for all of them, and each of them remembered as told. */
function gather(why: 'burst' | 'quiet', members: Subject[], input: AttentionInput, told: Told): void {
  const isOpen = isOnScreen(groupRoute(members), input.visible)
  const fresh = members.filter(({ key }) => !isDecided(input.memory.get(key)))
  told.suppressed.push(...fresh.map((subject) => suppressedBy(subject, isOpen ? 'visible' : 'burst')))
  if (!isOpen) told.show.push(groupWish(why, members, input))
}

/** A clock that was set back leaves times in the future; they count only when they are near. */
function shownLastMinute({ memory, now }: AttentionInput): number {
  let count = 0
  for (const [key, { shownAt }] of memory)
    if (shownAt !== undefined && !isGroupKey(key) && Math.abs(now - shownAt) < MINUTE_MS) count += 1
  return count
}

function shownBursts({ memory }: AttentionInput): { all: Remembered[]; open: [string, Remembered][] } {
  const all = [...memory].filter(([key]) => key.startsWith('group:burst:'))
  return { all: all.map(([, group]) => group), open: all.filter(([, { state }]) => state === 'shown') }
}

/** Keys of what is shown and decided elsewhere, over, or on the screen now. Quiet hours take nothing back. */
function untrue({ memory, visible }: AttentionInput, subjects: ReadonlyMap<string, Subject>): string[] {
  return [...memory].flatMap(([key, { state, members = [], route = '' }]) => {
    if (state !== 'shown') return []
    const subject = subjects.get(key)
    const isTrue = isGroupKey(key) ? members.some((member) => subjects.has(member)) : subject !== undefined
    const isLookedAt = subject ? isSeen(subject, visible) : isOnScreen(route, visible)
    return isTrue && !isLookedAt ? [] : [key]
  })
}

/** What waits for a reviewer is never announced; the log says so once. */
function notForYou({ memory }: AttentionInput, waiting: readonly Waiting[]): Attention['suppressed'] {
  return waiting.flatMap((entry) => {
    const key = ticketKey(entry.host, entry.ticket.id)
    if (isForPerson(entry) || memory.has(key)) return []
    const title = shortLine(`${taskName(entry.task)}: ${entry.ticket.ask.text}`, TITLE_COLUMNS)
    return [{ key, title, why: 'not_for_you' as const }]
  })
}
