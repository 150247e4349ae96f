import { z } from 'zod'
import { textLimits } from './text-limits.ts'
import { actorSchema } from './actor.ts'
import { shortId } from './task.ts'

/** Who may answer: an agent or a person that reviews, or the person only. */
export const audienceSchema = z.enum(['reviewer', 'user'])
export type Audience = z.infer<typeof audienceSchema>

/** `<taskId>:<id the executor gave>`, so that two executors' ids can never collide. */
export const ticketIdSchema = z.string().regex(/^[0-9a-f-]{36}:[\x21-\x7e]{1,200}$/)

/** Verdict of shared/domain/risk.ts as it travels: offsets are bytes of the UTF-8 command. */
export const riskSchema = z.object({
  level: z.enum(['routine', 'dangerous']),
  reason: z.string().max(64).optional(),
  sentence: z.string().max(500).optional(),
  span: z.object({ startByte: z.number().int().min(0), endByte: z.number().int().min(0) }).optional(),
})
export type Risk = z.infer<typeof riskSchema>

/** One of the answers that a question offers; it is chosen by its label. */
export const questionOptionSchema = z.object({
  label: z.string().min(1).max(500),
  description: z.string().max(2_000).optional(),
})

/** What an executor wants to do and may not do by itself. `text` is the exact text a decision is about. */
export const permissionAskSchema = z.object({
  kind: z.literal('permission'),
  action: z.enum(['command', 'edit', 'fetch', 'outside', 'other']),
  /** The exact command, path, URL or tool input that is decided on. */
  text: z.string().max(100_000),
  description: z.string().max(2_000).optional(),
  diff: z.string().max(400_000).optional(),
  /** Name of the sub-agent that asks, when it is not the task's own agent. */
  subagent: z.string().max(200).optional(),
  risk: riskSchema,
})

/** Something the executor wants to know. */
export const questionAskSchema = z.object({
  kind: z.literal('question'),
  text: z.string().max(100_000),
  /** Technical questions go to the reviewer, product choices to the person. */
  topic: z.enum(['technical', 'product']),
  options: z.array(questionOptionSchema).max(50),
  multiple: z.boolean(),
  subagent: z.string().max(200).optional(),
})

/** A round that ended and waits to be judged; `text` is its summary, or why it failed. */
export const reviewAskSchema = z.object({
  kind: z.literal('review'),
  round: z.number().int().min(1),
  text: z.string().max(100_000),
})

/** What a ticket waits for. */
export const askSchema = z.discriminatedUnion('kind', [
  permissionAskSchema,
  questionAskSchema,
  reviewAskSchema,
])
export type Ask = z.infer<typeof askSchema>
export type PermissionAsk = z.infer<typeof permissionAskSchema>
export type QuestionAsk = z.infer<typeof questionAskSchema>

/** How far a remembered approval reaches. */
export const ruleScopeSchema = z.enum(['task', 'repo'])
export type RuleScope = z.infer<typeof ruleScopeSchema>

/** The answers a ticket can get. `continue` and `done` answer a review and are only made by those calls. */
export const answerSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('approve'),
    remember: z.object({ scope: ruleScopeSchema, pattern: z.string().min(1).max(1_000) }).optional(),
  }),
  z.object({
    kind: z.literal('deny'),
    /** Told to the agent. Without `stop` the turn goes on. */
    message: z.string().max(textLimits.denial).optional(),
    stop: z.boolean(),
  }),
  z.object({ kind: z.literal('text'), text: z.string().min(1).max(textLimits.answer) }),
  z.object({ kind: z.literal('options'), labels: z.array(z.string().min(1).max(500)).min(1).max(50) }),
  z.object({ kind: z.literal('continue'), text: z.string().min(1).max(textLimits.instruction) }),
  z.object({ kind: z.literal('done') }),
])
export type Answer = z.infer<typeof answerSchema>

/**
 * open → answered → delivered, or open → expired when the executor no longer waits for it.
 * `failed` is an answer that could not be delivered yet; agentd goes on trying.
 */
export const ticketStateSchema = z.enum(['open', 'answered', 'delivered', 'failed', 'expired'])
export type TicketState = z.infer<typeof ticketStateSchema>

const RANK: Readonly<Record<TicketState, number>> = {
  open: 0,
  answered: 1,
  failed: 2,
  delivered: 3,
  expired: 3,
}

/** Whether a ticket in the first state has come further than one in the second. No ticket goes back; a failed delivery may succeed. */
export function isFurther(state: TicketState, than: TicketState): boolean {
  return RANK[state] > RANK[than]
}

/** Something that waits, or waited, for an answer. Times are ms since the epoch. */
export const ticketSchema = z.object({
  id: ticketIdSchema,
  taskId: z.uuid(),
  state: ticketStateSchema,
  audience: audienceSchema,
  ask: askSchema,
  openedAt: z.number().int(),
  openedSeq: z.number().int(),
  escalation: z.object({ why: z.string().max(2_000), by: actorSchema, at: z.number().int() }).optional(),
  answer: answerSchema.optional(),
  answeredBy: actorSchema.optional(),
  answeredAt: z.number().int().optional(),
  /** Why an expired ticket expired. */
  closedReason: z.string().max(2_000).optional(),
})
export type Ticket = z.infer<typeof ticketSchema>

/** A ticket's id with the short form of its task, still unique on its host in practice: `3fa2c1d0:per_1`. */
export function shortTicketId(ticketId: string): string {
  return `${shortId(ticketId)}${ticketId.slice(36)}`
}
