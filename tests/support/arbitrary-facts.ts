import fc from 'fast-check'
import type { Fact } from '../../shared/domain/fact.ts'
import type { Answer } from '../../shared/domain/ticket.ts'
import {
  asks,
  permission,
  question,
  reviewer,
  rule,
  SHA,
  started,
  submitted,
  TASK_ID,
  turnCompleted,
  user,
} from './sample-facts.ts'

// Few ids, so that facts meet the same tickets again and again.
const requestIds = ['per_1', 'per_2', 'que_1', 'ask-1', 'ask-2']
const ticketId = fc
  .constantFrom(...requestIds, 'review-1', 'review-2', 'review-3', 'per_9')
  .map((id) => `${TASK_ID}:${id}`)
const actor = fc.constantFrom(reviewer, user, rule, { kind: 'agentd' } as const)
const answers: [Answer, ...Answer[]] = [
  { kind: 'approve' } as const,
  { kind: 'approve', remember: { scope: 'task', pattern: 'npm test *' } } as const,
  { kind: 'deny', stop: false, message: 'no' } as const,
  { kind: 'deny', stop: true } as const,
  { kind: 'text', text: 'blue' } as const,
  { kind: 'options', labels: ['red'] },
  { kind: 'options', labels: ['red', 'blue'] },
  { kind: 'continue', text: 'x' } as const,
  { kind: 'done' } as const,
]
const answer = fc.constantFrom(...answers)

const asked = fc.constantFrom(
  asks('per_1'),
  asks('per_2', permission('dangerous')),
  asks('que_1', question()),
  asks('ask-1', question()),
  asks('ask-2', question({ topic: 'product' })),
)
const answered = fc.record({ type: fc.constant('answered' as const), ticketId, answer, by: actor })
// Mostly answers that fit, so that many tickets are answered, some of them a second time.
const fitting = fc
  .constantFrom(
    ['per_1', 0],
    ['per_1', 2],
    ['per_2', 0],
    ['per_2', 3],
    ['que_1', 4],
    ['ask-1', 4],
    ['ask-2', 4],
  )
  .chain(([id, index]) =>
    fc.record({
      type: fc.constant('answered' as const),
      ticketId: fc.constant(`${TASK_ID}:${id}`),
      answer: fc.constant<Answer>(answers[index as number] ?? answers[0]),
      by: fc.constantFrom(reviewer, user),
    }),
  )
const delivered = fc.record({
  type: fc.constant('delivered' as const),
  deliveryId: fc.integer({ min: 1, max: 9 }),
  ticketId,
})
const deliveryFailed = delivered.map((fact) => ({
  ...fact,
  type: 'delivery_failed' as const,
  attempt: 1,
  message: 'no',
}))
const ending = fc.constantFrom<Fact>(
  { type: 'failed', message: 'no tmux' },
  { type: 'crashed', message: 'gone', logTail: '' },
  { type: 'cancelled', by: user },
)

/** Any fact but the first, in a mix that keeps tasks alive long enough to get into trouble. */
export const arbitraryFact: fc.Arbitrary<Fact> = fc.oneof(
  { weight: 8, arbitrary: asked },
  { weight: 4, arbitrary: answered },
  { weight: 10, arbitrary: fitting },
  { weight: 3, arbitrary: delivered },
  { weight: 2, arbitrary: deliveryFailed },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('request_gone' as const),
      ticketId,
      reason: fc.constant('gone'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('escalated' as const),
      ticketId,
      why: fc.constant('?'),
      by: actor,
    }),
  },
  {
    weight: 10,
    arbitrary: fc.constantFrom<Fact>(
      submitted,
      started,
      { type: 'started', session: 'ses_2' },
      turnCompleted,
      { type: 'turn_failed', message: 'quota' },
      { type: 'continued', text: 'more', by: reviewer },
      { type: 'progress', body: { kind: 'text', text: 'x' } },
      { type: 'stalled', silentMs: 1 },
      { type: 'offline', message: 'x' },
      { type: 'online' },
      { type: 'note', text: 'x', by: user },
      { type: 'repaired', outcome: 'x', by: user },
      { type: 'ran', command: 'npm test', exitCode: 0, timedOut: false, by: user },
      { type: 'ran', command: 'npm test', exitCode: 0, timedOut: true, by: user },
      { ...turnCompleted, changes: { files: 2, added: 30, removed: 4 } } as Fact,
      { ...submitted, base: SHA.replaceAll('a', 'c') } as Fact,
    ),
  },
  { weight: 1, arbitrary: fc.constant<Fact>({ type: 'done', by: reviewer }) },
  { weight: 1, arbitrary: ending },
)
