import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createListener, NOON, notifying, waitingTicket } from '../../../tests/support/attention-state.ts'
import { permission, question, reviewer, sampleTask, user } from '../../../tests/support/sample-facts.ts'
import type { Ask, TicketState } from '../../../shared/domain/ticket.ts'
import { taskRoute } from '../../../shared/ipc/routes.ts'
import type { Attention, AttentionInput } from './types.ts'

const TASKS = ['1', '2'].map((last) => `3fa2c0de-0000-4000-8000-00000000000${last}`)
const HOSTS = ['devbox', 'local']

interface Sketch {
  host: string
  task: string
  id: number
  kind: 'permission' | 'question' | 'review'
  audience: 'user' | 'reviewer'
  state: TicketState
  isAnsweredHere: boolean
  isMine: boolean
}

const sketch: fc.Arbitrary<Sketch> = fc.record({
  host: fc.constantFrom(...HOSTS),
  task: fc.constantFrom(...TASKS),
  id: fc.integer({ min: 0, max: 9 }),
  kind: fc.constantFrom('permission', 'question', 'review'),
  audience: fc.constantFrom('user', 'user', 'reviewer'),
  state: fc.constantFrom<TicketState>('open', 'open', 'open', 'answered', 'expired'),
  isAnsweredHere: fc.constantFrom(false, false, true),
  isMine: fc.boolean(),
})

const step = fc.record({
  sketches: fc.array(sketch, { maxLength: 12 }),
  // Mostly seconds, sometimes hours, and now and then a clock that is set back.
  passedMs: fc.oneof(
    fc.integer({ min: 0, max: 20_000 }),
    fc.integer({ min: 0, max: 7_200_000 }),
    fc.integer({ min: -7_200_000, max: 0 }),
  ),
  isQuiet: fc.boolean(),
  isOff: fc.constantFrom(false, false, false, true),
  isTaskOnScreen: fc.constantFrom(false, false, true),
  stalled: fc.subarray(TASKS),
  offlineSince: fc.option(fc.constantFrom(NOON - 100_000, NOON)),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const asks: Record<Sketch['kind'], Ask> = {
  permission: permission(),
  question: question(),
  review: { kind: 'review', round: 1, text: 'Done.' },
}

function stateOf(step: Step, now: number): Partial<AttentionInput> {
  // One id is one ticket: the last sketch of it counts.
  const unique = new Map(step.sketches.map((one) => [`${one.host}/${one.task}:${one.kind}-${one.id}`, one]))
  const open = [...unique.values()].map(({ host, task, id, kind, audience, state, isMine }) =>
    waitingTicket({
      id: `${kind}-${id}`,
      host,
      ask: asks[kind],
      ticket: { state, audience: kind === 'review' ? 'reviewer' : audience },
      task: { id: task, dispatchedBy: isMine ? user : reviewer },
    }),
  )
  const answered = [...unique].filter(([, { isAnsweredHere }]) => isAnsweredHere).map(([id]) => id)
  return {
    now,
    open,
    answeredHere: new Set(answered),
    settings: notifying({ quietUntil: step.isQuiet ? now + 60_000 : 0, enabled: !step.isOff }),
    visible: step.isTaskOnScreen ? [taskRoute('devbox', TASKS[0] ?? '')] : [],
    troubled: step.stalled.map((id) => ({
      host: 'local',
      task: sampleTask({ id }),
      kind: 'stalled' as const,
      since: NOON,
    })),
    hosts: HOSTS.map((name) => ({
      name,
      isOffline: step.offlineSince !== null,
      since: step.offlineSince ?? 0,
      openTasks: 1,
      mayAnswer: true,
    })),
  }
}

/** Keys of tickets that are really the person's to decide in this state. */
function forPerson({ open = [], answeredHere = new Set() }: Partial<AttentionInput>): Set<string> {
  const mine = open.filter(
    ({ ticket, task }) =>
      task?.dispatchedBy === user || (ticket.ask.kind !== 'review' && ticket.audience === 'user'),
  )
  return new Set(
    mine
      .filter(({ host, ticket }) => ticket.state === 'open' && !answeredHere.has(`${host}/${ticket.id}`))
      .map(({ host, ticket }) => `ticket:${host}/${ticket.id}`),
  )
}

interface Heard {
  state: Partial<AttentionInput>
  attention: Attention
  now: number
}

function play(steps: readonly Step[]): { heard: Heard[]; listener: ReturnType<typeof createListener> } {
  const listener = createListener()
  let now = NOON
  const heard = steps.map((step) => {
    now += step.passedMs
    const state = stateOf(step, now)
    return { state, attention: listener.hear(state), now }
  })
  return { heard, listener }
}

const history = fc.array(step, { minLength: 1, maxLength: 15 })
const check = (property: (steps: Step[]) => void) =>
  fc.assert(fc.property(history, property), { numRuns: 150 })

describe('over any sequence of states', () => {
  it('shows no key twice, also when the clock is set back', () => {
    check((steps) => {
      const keys = play(steps).heard.flatMap(({ attention }) => attention.show.map(({ key }) => key))
      expect(new Set(keys).size).toBe(keys.length)
    })
  })

  it('tells of no ticket that is not the person’s, neither alone nor in a group', () => {
    check((steps) => {
      for (const { state, attention } of play(steps).heard) {
        const mine = forPerson(state)
        const told = attention.show.flatMap(({ key, members }) => members ?? [key])
        for (const key of told.filter((one) => one.startsWith('ticket:'))) expect(mine).toContain(key)
        const decisions = [...mine].filter((key) => !key.includes(':review-'))
        expect(attention.badge).toBe(decisions.length)
      }
    })
  })

  it('takes back only what it shows, once, and leaves nothing that is not true', () => {
    check((steps) => {
      const shown = new Set<string>()
      for (const { state, attention } of play(steps).heard) {
        for (const key of attention.withdraw) expect(shown.delete(key)).toBe(true)
        for (const { key } of attention.show) shown.add(key)
        const mine = forPerson(state)
        for (const key of [...shown].filter((one) => one.startsWith('ticket:'))) expect(mine).toContain(key)
      }
    })
  })

  it('is silent while it is quiet or switched off', () => {
    check((steps) => {
      play(steps).heard.forEach(({ attention }, index) => {
        if (steps[index]?.isQuiet || steps[index]?.isOff) expect(attention.show).toEqual([])
      })
    })
  })

  it('makes no flood: six singly in a minute, a group in ten seconds', () => {
    check((steps) => {
      const { heard } = play(steps.map((one) => ({ ...one, passedMs: Math.abs(one.passedMs) })))
      const at = heard.flatMap(({ attention, now }) => attention.show.map(({ key }) => ({ key, now })))
      const singles = at.filter(({ key }) => !key.startsWith('group:'))
      const bursts = at.filter(({ key }) => key.startsWith('group:burst:'))
      for (const { now } of singles)
        expect(singles.filter((one) => one.now >= now && one.now < now + 60_000).length).toBeLessThanOrEqual(
          6,
        )
      for (const { now } of bursts)
        expect(bursts.filter((one) => one.now >= now && one.now < now + 10_000).length).toBe(1)
    })
  })

  it('loses nothing: in the end everything that is the person’s was decided about', () => {
    check((steps) => {
      const { heard, listener } = play(steps)
      const last = heard.at(-1)
      if (!last) return
      const state = { ...last.state, settings: notifying(), now: last.now + 10_800_000 }
      listener.hear(state)
      for (const key of forPerson(state)) {
        const entry = listener.memory.get(key)
        expect([entry?.state, entry?.why]).not.toEqual(['suppressed', 'quiet'])
        expect(entry).toBeDefined()
      }
    })
  })
})
