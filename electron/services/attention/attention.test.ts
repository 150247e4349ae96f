import { describe, expect, it } from 'vitest'
import {
  createListener,
  NOON,
  notifying,
  quietState,
  waitingTicket,
} from '../../../tests/support/attention-state.ts'
import {
  permission,
  question,
  reviewer,
  sampleTask,
  TASK_ID,
  user,
} from '../../../tests/support/sample-facts.ts'
import { attend } from './attention.ts'

const KEY = `ticket:devbox/${TASK_ID}:per_1`
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => waitingTicket({ id: `per_${index}` }))
const titles = (shown: { title: string }[]) => shown.map(({ title }) => title)

describe('what is announced', () => {
  it('is a decision that only the person can take, once', () => {
    const listener = createListener()
    const first = listener.hear({ open: [waitingTicket()] })
    expect(first.show.map(({ key }) => key)).toEqual([KEY])
    expect(first.badge).toBe(1)
    const again = listener.hear({ open: [waitingTicket()], now: NOON + 5_000 })
    expect(again.show).toEqual([])
    expect(again.suppressed).toEqual([])
    expect(again.badge).toBe(1)
  })

  it('is nothing that waits for a reviewer; the log says so once', () => {
    const listener = createListener()
    const open = [waitingTicket({ ticket: { audience: 'reviewer' } })]
    const first = listener.hear({ open })
    expect(first).toMatchObject({
      badge: 0,
      show: [],
      mood: 'quiet',
      suppressed: [{ key: KEY, why: 'not_for_you' }],
    })
    expect(listener.hear({ open }).suppressed).toEqual([])
  })

  it('is also a routine request of a task that the person dispatched: nobody else reviews it', () => {
    const open = [waitingTicket({ ticket: { audience: 'reviewer' }, task: { dispatchedBy: user } })]
    expect(attend(quietState({ open }))).toMatchObject({ badge: 1, show: [{ key: KEY }], suppressed: [] })
  })

  it('is what a reviewer passed on, although it was not for the person before', () => {
    const listener = createListener()
    listener.hear({ open: [waitingTicket({ ticket: { audience: 'reviewer' } })] })
    expect(listener.hear({ open: [waitingTicket()] }).show.map(({ key }) => key)).toEqual([KEY])
  })

  it.each(['answered', 'delivered', 'failed', 'expired'] as const)('is nothing that is %s', (state) => {
    expect(attend(quietState({ open: [waitingTicket({ ticket: { state } })] }))).toMatchObject({
      badge: 0,
      show: [],
    })
  })

  it('is nothing that the person answered here while it is on its way', () => {
    const answeredHere = new Set([`devbox/${TASK_ID}:per_1`])
    const attention = attend(quietState({ open: [waitingTicket()], answeredHere }))
    expect(attention).toMatchObject({ badge: 0, show: [], suppressed: [], trayTitle: '' })
  })

  it.each([
    ['a task that the person dispatched', user, 1],
    ['a task that was dispatched from a desk without the role', { ...user, role: 'reviewer' as const }, 1],
    ['a task that an agent dispatched', reviewer, 0],
    ['a task that agentd made', { kind: 'agentd' as const }, 0],
  ])('is the review of %s: %#', (_, dispatchedBy, count) => {
    const ask = { kind: 'review' as const, round: 1, text: 'Done.' }
    const attention = attend(quietState({ open: [waitingTicket({ ask, task: { dispatchedBy } })] }))
    expect(attention.show).toHaveLength(count)
    expect(attention.badge).toBe(0)
    expect(titles(attention.show)).toEqual(count === 0 ? [] : ['Login throttling is ready for review'])
  })

  it('is a task in trouble, again when the trouble comes back', () => {
    const listener = createListener()
    const at = (since: number) => [{ host: 'devbox', task: sampleTask(), kind: 'stalled' as const, since }]
    expect(titles(listener.hear({ troubled: at(NOON - 9_000) }).show)).toEqual([
      'Add a greeting has gone silent',
    ])
    expect(listener.hear({ troubled: [] }).withdraw).toEqual([
      `trouble:devbox/${TASK_ID}:stalled:${NOON - 9_000}`,
    ])
    expect(listener.hear({ troubled: at(NOON - 9_000) }).show).toEqual([])
    expect(listener.hear({ troubled: at(NOON) }).show).toHaveLength(1)
  })

  it('is a failure, but not one of the day before', () => {
    const at = (since: number) => [{ host: 'devbox', task: sampleTask(), kind: 'failed' as const, since }]
    expect(titles(attend(quietState({ troubled: at(NOON - 60_000) })).show)).toEqual([
      'Add a greeting failed',
    ])
    expect(attend(quietState({ troubled: at(NOON - 90_000_000) })).show).toEqual([])
  })

  it('is a host that stays away with open tasks, a minute after it went', () => {
    const host = { name: 'gpu-1', isOffline: true, since: NOON - 30_000, openTasks: 2, mayAnswer: true }
    const early = attend(quietState({ hosts: [host] }))
    expect(early).toMatchObject({ show: [], mood: 'quiet', wakeAt: NOON + 30_001 })
    const late = attend(quietState({ hosts: [host], now: NOON + 30_001 }))
    expect(titles(late.show)).toEqual(['gpu-1 is offline'])
    expect(late.mood).toBe('offline')
    const idle = attend(quietState({ hosts: [{ ...host, openTasks: 0 }], now: NOON + 30_001 }))
    expect(idle).toMatchObject({ show: [], mood: 'offline' })
  })

  it('is a host that is away although the clock was set back since it went', () => {
    const host = { name: 'gpu-1', isOffline: true, since: NOON, openTasks: 2, mayAnswer: true }
    const back = attend(quietState({ hosts: [host], now: NOON - 3_600_000 }))
    expect(titles(back.show)).toEqual(['gpu-1 is offline'])
    expect(back.wakeAt).toBeUndefined()
  })

  it('is nothing that waited before the desk was started for the first time', () => {
    const old = waitingTicket({ ticket: { openedAt: NOON - 60_000 } })
    const listener = createListener()
    const first = listener.hear({ open: [old], startedAt: NOON - 1_000 })
    expect(first).toMatchObject({ badge: 1, show: [], suppressed: [{ why: 'old' }] })
    expect(listener.hear({ open: [old], startedAt: NOON - 1_000, now: NOON + 600_000 }).show).toEqual([])
  })

  it('is not silent for years when the desk was first started under a clock that was ahead', () => {
    const open = [waitingTicket({ ticket: { openedAt: NOON - 5_000 } })]
    expect(attend(quietState({ open, startedAt: NOON + 365 * 24 * 3_600_000 })).show).toHaveLength(1)
  })

  it('does not take a host whose clock is behind for an old one for ever', () => {
    const open = [waitingTicket({ ticket: { openedAt: NOON - 7_200_000 } })]
    expect(attend(quietState({ open, startedAt: NOON - 3_600_000 })).show).toHaveLength(1)
  })
})

describe('switches', () => {
  it.each([
    ['off', { enabled: false }],
    ['off', { permission: false }],
    ['muted', { mutedHosts: ['devbox'] }],
  ] as const)('suppresses as %s with %j, and keeps the badge', (why, change) => {
    const state = quietState({
      open: [waitingTicket()],
      settings: notifying({ ...change, mutedHosts: [...('mutedHosts' in change ? change.mutedHosts : [])] }),
    })
    expect(attend(state)).toMatchObject({ badge: 1, show: [], suppressed: [{ key: KEY, why }] })
  })

  it.each(['question', 'review', 'trouble'] as const)('has one of its own for %s', (kind) => {
    const asks = { question: question(), review: { kind: 'review' as const, round: 1, text: '' } }
    const open = kind === 'trouble' ? [] : [waitingTicket({ ask: asks[kind], task: { dispatchedBy: user } })]
    const troubled =
      kind === 'trouble'
        ? [{ host: 'devbox', task: sampleTask(), kind: 'offline' as const, since: NOON }]
        : []
    const on = attend(quietState({ open, troubled }))
    const off = attend(quietState({ open, troubled, settings: notifying({ [kind]: false }) }))
    expect([on.show.length, off.show.length]).toEqual([1, 0])
    expect(off.suppressed).toMatchObject([{ why: 'off' }])
  })

  it('does not tell afterwards what came while a kind was switched off', () => {
    const listener = createListener()
    listener.hear({ open: [waitingTicket()], settings: notifying({ permission: false }) })
    expect(listener.hear({ open: [waitingTicket()] }).show).toEqual([])
  })
})

describe('the screen that has the keyboard', () => {
  const ticketPlace = `/inbox/devbox/${encodeURIComponent(`${TASK_ID}:per_1`)}`

  it.each([ticketPlace, `/tasks/devbox/${TASK_ID}`, `/tasks/devbox/${TASK_ID}/terminal`])(
    'suppresses what is on it: %s',
    (route) => {
      const attention = attend(quietState({ open: [waitingTicket()], visible: [route] }))
      expect(attention).toMatchObject({ show: [], suppressed: [{ key: KEY, why: 'visible' }] })
    },
  )

  it.each(['/inbox', '/tasks', `/tasks/local/${TASK_ID}`, `${ticketPlace}2`, '/settings/%E0%A4%A'])(
    'does not suppress what is elsewhere: %s',
    (route) => {
      expect(attend(quietState({ open: [waitingTicket()], visible: [route] })).show).toHaveLength(1)
    },
  )

  it('takes back what it shows', () => {
    const listener = createListener()
    listener.hear({ open: [waitingTicket()] })
    expect(listener.hear({ open: [waitingTicket()], visible: [ticketPlace] }).withdraw).toEqual([KEY])
    expect(listener.hear({ open: [waitingTicket()] })).toMatchObject({ show: [], withdraw: [] })
  })
})

describe('taking back', () => {
  it.each([
    ['is gone', { open: [] }],
    ['was answered elsewhere', { open: [waitingTicket({ ticket: { state: 'answered' } })] }],
    ['was answered here', { open: [waitingTicket()], answeredHere: new Set([`devbox/${TASK_ID}:per_1`]) }],
  ])('happens at once, and once, when it %s', (_, state) => {
    const listener = createListener()
    listener.hear({ open: [waitingTicket()] })
    expect(listener.hear(state).withdraw).toEqual([KEY])
    expect(listener.hear(state).withdraw).toEqual([])
  })

  it('does not happen because it became quiet', () => {
    const listener = createListener()
    listener.hear({ open: [waitingTicket()] })
    const settings = notifying({ quietUntil: NOON + 3_600_000 })
    expect(listener.hear({ open: [waitingTicket()], settings }).withdraw).toEqual([])
  })
})

describe('bursts', () => {
  it('tells three singly and four as one, naming the task', () => {
    expect(attend(quietState({ open: many(3) })).show).toHaveLength(3)
    const burst = attend(quietState({ open: many(4) }))
    expect(burst.show).toMatchObject([
      {
        kind: 'group',
        title: '4 decisions need you',
        body: 'Login throttling on devbox: 4',
        route: `/tasks/devbox/${TASK_ID}`,
      },
    ])
    expect(burst.suppressed.map(({ why }) => why)).toEqual(['burst', 'burst', 'burst', 'burst'])
    expect(burst.badge).toBe(4)
  })

  it('takes the group back when none of it is open any more', () => {
    const listener = createListener()
    const key = listener.hear({ open: many(4) }).show[0]?.key
    expect(listener.hear({ open: many(1) }).withdraw).toEqual([])
    expect(listener.hear({ open: [] }).withdraw).toEqual([key])
  })

  it('tells at most six singly in a minute, the rest as a group that replaces the one before', () => {
    const listener = createListener()
    const shown = [3, 6].map(
      (count, index) => listener.hear({ open: many(count), now: NOON + index * 1_000 }).show,
    )
    expect(shown.map(({ length }) => length)).toEqual([3, 3])
    const seventh = listener.hear({ open: many(7), now: NOON + 2_000 })
    expect(titles(seventh.show)).toEqual(['1 decision needs you'])
    const held = listener.hear({ open: many(9), now: NOON + 4_000 })
    expect(held).toMatchObject({ show: [], suppressed: [], badge: 9 })
    expect(held.wakeAt).toBeGreaterThan(NOON + 4_000)
    const later = listener.hear({ open: many(9), now: NOON + 14_000 })
    expect(titles(later.show)).toEqual(['3 decisions need you'])
    expect(later.withdraw).toEqual(seventh.show.map(({ key }) => key))
    expect(listener.hear({ open: many(10), now: NOON + 90_000 }).show).toMatchObject([{ kind: 'permission' }])
  })

  it('shows no group over several tasks while the inbox is on the screen', () => {
    const other = '3fa2c0de-0000-4000-8000-000000000002'
    const open = [...many(3), waitingTicket({ task: { id: other } })]
    const attention = attend(quietState({ open, visible: ['/inbox'] }))
    expect(attention.show).toEqual([])
    expect(new Set(attention.suppressed.map(({ why }) => why))).toEqual(new Set(['visible']))
  })
})

describe('quiet', () => {
  const quiet = notifying({ quietUntil: NOON + 3_600_000 })

  it('keeps everything back, and says once what waited when it ends', () => {
    const listener = createListener()
    const during = listener.hear({ open: many(3), settings: quiet })
    expect(during).toMatchObject({ badge: 3, show: [], wakeAt: NOON + 3_600_000 })
    expect(during.suppressed.map(({ why }) => why)).toEqual(['quiet', 'quiet', 'quiet'])
    expect(listener.hear({ open: many(3), settings: quiet }).suppressed).toEqual([])
    const after = { now: NOON + 3_600_001, settings: quiet }
    const summary = listener.hear({ ...after, open: many(2) }).show
    expect(summary).toMatchObject([{ kind: 'group', title: '2 decisions waited while it was quiet' }])
    expect(listener.hear({ ...after, open: many(2) }).show).toEqual([])
    expect(listener.hear({ ...after, open: [] }).withdraw).toEqual(summary.map(({ key }) => key))
  })

  it('makes two groups of two quiet times that end at the same time of a clock that was set back', () => {
    const listener = createListener()
    const keys = [2, 4].flatMap((count) => {
      listener.hear({ open: many(count), settings: quiet })
      return listener.hear({ open: many(count), now: NOON + 3_600_001 }).show.map(({ key }) => key)
    })
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(2)
  })

  it('tells a single thing that waited as itself, and nothing when all was decided meanwhile', () => {
    for (const left of [1, 0]) {
      const listener = createListener()
      listener.hear({ open: many(2), settings: quiet })
      const { show } = listener.hear({ open: many(left), settings: quiet, now: NOON + 3_600_001 })
      expect(show.map(({ kind }) => kind)).toEqual(left === 1 ? ['permission'] : [])
    }
  })

  it.each([
    [1_320, 480, 1_319, false],
    [1_320, 480, 1_320, true],
    [1_320, 480, 0, true],
    [1_320, 480, 479, true],
    [1_320, 480, 480, false],
    [600, 720, 719, true],
    [600, 720, 720, false],
    [600, 720, 599, false],
    [600, 600, 600, false],
  ])('from %i to %i is quiet at %i: %s', (from, to, minuteOfDay, isQuiet) => {
    const settings = notifying({ quietHours: { enabled: true, from, to } })
    const attention = attend(quietState({ open: [waitingTicket()], settings, minuteOfDay }))
    expect(attention.show).toHaveLength(isQuiet ? 0 : 1)
    if (isQuiet) expect(attention.wakeAt).toBe(NOON + ((to - minuteOfDay + 1_440) % 1_440) * 60_000)
    const off = notifying({ quietHours: { enabled: false, from, to } })
    expect(attend(quietState({ open: [waitingTicket()], settings: off, minuteOfDay })).show).toHaveLength(1)
  })
})

describe('the face', () => {
  it('names the host and the danger, and offers no approval of it', () => {
    const ask = {
      ...permission('dangerous'),
      text: 'rm -rf dist ../shared-cache',
      risk: { level: 'dangerous' as const, reason: 'outside_worktree' },
    }
    const { show, menu } = attend(quietState({ open: [waitingTicket({ ask })] }))
    expect(show).toMatchObject([
      {
        title: 'devbox wants to change or delete files outside the repo',
        body: 'Login throttling: rm -rf dist ../shared-cache',
        actions: [{ id: 'open' }, { id: 'deny' }],
        reply: false,
      },
    ])
    expect(JSON.stringify(menu)).not.toContain('approve')
  })
})
