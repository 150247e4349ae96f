import { z } from 'zod'
import { textLimits } from './text-limits.ts'
import { actorSchema } from './actor.ts'
import { branchSchema, changesSchema, shaSchema } from './task.ts'
import { answerSchema, askSchema, audienceSchema, ticketIdSchema } from './ticket.ts'

const text = z.string().max(100_000)
const by = actorSchema

/** How what a line of progress tells of has failed; `exitCode` is of a command that ended with one. */
const toolFailureSchema = z.object({
  exitCode: z
    .number()
    .int()
    .min(-(2 ** 31))
    .max(2 ** 31)
    .optional(),
})

/** One way in which git does not agree with what an executor said of its finished round. */
export const differenceSchema = z.object({ code: z.string().max(64), message: z.string().max(1_000) })
export type Difference = z.infer<typeof differenceSchema>

const bodies = {
  dispatched: z.object({ title: z.string().max(200), executor: z.string().max(64), by }),
  submitted: z.object({ worktree: z.string().max(4_096), branch: branchSchema, base: shaSchema }),
  started: z.object({ session: z.string().max(200) }),
  permission_request: z.object({ ticketId: ticketIdSchema, audience: audienceSchema, ask: askSchema }),
  question: z.object({ ticketId: ticketIdSchema, audience: audienceSchema, ask: askSchema }),
  answered: z.object({ ticketId: ticketIdSchema, answer: answerSchema, by }),
  escalated: z.object({ ticketId: ticketIdSchema, why: z.string().max(2_000), by }),
  expired: z.object({ ticketId: ticketIdSchema, reason: z.string().max(2_000) }),
  delivered: z.object({
    deliveryId: z.number().int(),
    ticketId: ticketIdSchema.optional(),
    note: z.string().max(1_000).optional(),
  }),
  delivery_failed: z.object({
    deliveryId: z.number().int(),
    ticketId: ticketIdSchema.optional(),
    attempt: z.number().int(),
    message: z.string().max(2_000),
  }),
  completed: z.object({
    ticketId: ticketIdSchema,
    round: z.number().int(),
    branch: branchSchema,
    commit: shaSchema,
    summary: text,
    commits: z.number().int(),
    /** Of the whole task so far. */
    changes: changesSchema.optional(),
    /** `trailer`: the executor said so; `git`: read from new commits because it said nothing usable. */
    source: z.enum(['trailer', 'git']),
    differs: z.array(differenceSchema).max(20),
  }),
  turn_failed: z.object({ ticketId: ticketIdSchema, round: z.number().int(), message: text }),
  continued: z.object({ round: z.number().int(), text: z.string().max(textLimits.instruction), by }),
  progress: z.object({
    kind: z.enum(['text', 'tool', 'status', 'usage']),
    text: z.string().max(8_000),
    /** Only of what has failed. Older hosts do not tell it. */
    failed: toolFailureSchema.optional(),
  }),
  stalled: z.object({ silentMs: z.number().int() }),
  executor_offline: z.object({ message: z.string().max(2_000) }),
  executor_online: z.object({}),
  failed: z.object({ message: text, hint: z.string().max(2_000).optional() }),
  crashed: z.object({ message: text, logTail: z.string().max(20_000) }),
  /** Somebody ran a command in the worktree. `exitCode` is null when a signal ended it. */
  ran: z.object({
    command: z.string().max(200),
    exitCode: z.number().int().nullable(),
    timedOut: z.boolean(),
    by,
  }),
  repaired: z.object({ outcome: z.string().max(2_000), by }),
  note: z.object({ text, by }),
  done: z.object({ note: text.optional(), push: z.string().max(2_000).optional(), by }),
  cancelled: z.object({ note: text.optional(), by }),
} as const

/** The types of events that this version knows. */
export type EventType = keyof typeof bodies
/** The body of an event of one type. */
export type EventBody<T extends EventType = EventType> = z.infer<(typeof bodies)[T]>

/** Every type of event that this version knows. */
export const eventTypes = Object.keys(bodies) as EventType[]

const envelope = { seq: z.number().int().min(1), taskId: z.uuid(), at: z.number().int() }

/** One event of any type. Unknown types are for the reader to skip: newer hosts may have more. */
export const eventSchema = z.discriminatedUnion(
  'type',
  eventTypes.map((type) =>
    z.object({ ...envelope, type: z.literal(type), body: bodies[type] }),
  ) as unknown as [EventVariant<EventType>, ...EventVariant<EventType>[]],
)
type EventVariant<T extends EventType> = z.ZodObject<
  typeof envelope & { type: z.ZodLiteral<T>; body: (typeof bodies)[T] }
>

/** One numbered, durable fact about a task. `seq` rises by one per host; `at` is ms since the epoch. */
export type Event = {
  [T in EventType]: { seq: number; taskId: string; at: number; type: T; body: EventBody<T> }
}[EventType]

/** An event before the store has numbered it. */
export type NewEvent = { [T in EventType]: { type: T; body: EventBody<T> } }[EventType]

const wakeTypes: ReadonlySet<EventType> = new Set<EventType>([
  'permission_request',
  'question',
  'completed',
  'turn_failed',
  'failed',
  'crashed',
  'stalled',
  'delivery_failed',
  'done',
  'cancelled',
])

/** Whether an event of this type ends a `wait`. */
export function wakes(type: EventType): boolean {
  return wakeTypes.has(type)
}
