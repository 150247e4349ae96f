import { z } from 'zod'

/*
 * What opencode sends (1.18.33, /doc of its own server), as far as Handoff reads it. Objects are loose: a newer opencode
 * may send more. Every string that is kept has a bound.
 */

const id = z.string().min(1).max(200)

/** A field that may be missing or null. */
function maybe<S extends z.ZodType>(schema: S) {
  return schema.nullish().transform((value) => value ?? undefined)
}

const millis = z.number().min(0)

/** A session; `parentID` is set for the session of a sub-agent. */
export const sessionInfoSchema = z.object({
  id,
  parentID: maybe(id),
  title: z.string().max(10_000).catch(''),
  agent: maybe(z.string().max(500)),
  directory: maybe(z.string().max(4_096)),
  metadata: maybe(z.record(z.string().max(200), z.unknown())),
})
export type SessionInfo = z.infer<typeof sessionInfoSchema>
/** Answer of `GET /session` and of `GET /session/:id/children`. */
export const sessionListSchema = z.array(sessionInfoSchema).max(10_000)

const tool = maybe(z.object({ messageID: id, callID: id }))

/** A tool call that waits to be allowed. */
export const permissionRequestSchema = z.object({
  id,
  sessionID: id,
  permission: z.string().max(500),
  patterns: z.array(z.string().max(1_000_000)).max(10_000).catch([]),
  metadata: z.record(z.string().max(500), z.unknown()).catch({}),
  tool,
})
export type PermissionRequest = z.infer<typeof permissionRequestSchema>
/** Answer of `GET /permission`. */
export const permissionListSchema = z.array(permissionRequestSchema).max(10_000)

/** Questions of the agent that wait to be answered together. */
export const questionRequestSchema = z.object({
  id,
  sessionID: id,
  questions: z
    .array(
      z.object({
        question: z.string().max(100_000),
        header: z.string().max(1_000).catch(''),
        options: z
          .array(z.object({ label: z.string().max(10_000), description: z.string().max(100_000).catch('') }))
          .max(1_000)
          .catch([]),
        multiple: maybe(z.boolean()),
      }),
    )
    .min(1)
    .max(100),
  tool,
})
export type QuestionRequest = z.infer<typeof questionRequestSchema>
/** Answer of `GET /question`. */
export const questionListSchema = z.array(questionRequestSchema).max(10_000)

/** What a session does; `next` (ms since the epoch) is when a failed model is asked again. */
export const sessionStatusSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('idle') }),
  z.object({ type: z.literal('busy') }),
  z.object({
    type: z.literal('retry'),
    attempt: z.number().int().min(0).catch(0),
    message: z.string().max(100_000).catch(''),
    next: millis.catch(0),
  }),
])
export type SessionStatus = z.infer<typeof sessionStatusSchema>
/** A status of a kind that is not known counts as busy: it is not idle. */
export const statusMapSchema = z.record(id, sessionStatusSchema.catch({ type: 'busy' }))

/** An error of a turn: its name, and what the provider said. */
export const errorInfoSchema = z.object({
  name: z.string().max(200),
  data: z.object({ message: z.string().max(1_000_000).optional() }).catch({}),
})
export type ErrorInfo = z.infer<typeof errorInfoSchema>

const tokens = z.object({
  input: z.number().catch(0),
  output: z.number().catch(0),
  cache: z.object({ read: z.number().catch(0) }).optional(),
})

/** Who wrote a message, when it was finished, and what went wrong with it. */
export const messageInfoSchema = z.object({
  id,
  sessionID: id,
  role: z.enum(['user', 'assistant']),
  parentID: maybe(id),
  time: z.object({ created: millis, completed: maybe(millis) }),
  finish: maybe(z.string().max(200)),
  summary: z.unknown().optional(),
  error: maybe(errorInfoSchema),
  cost: maybe(z.number()),
  tokens: maybe(tokens).catch(undefined),
})
export type MessageInfo = z.infer<typeof messageInfoSchema>

const partBase = { id, messageID: id, sessionID: id }
const text = z.string().max(20_000_000)

/** A piece of a message, as far as Handoff reads it. */
export const partSchema = z.discriminatedUnion('type', [
  z.object({
    ...partBase,
    type: z.literal('text'),
    text,
    synthetic: maybe(z.boolean()),
    ignored: maybe(z.boolean()),
    time: maybe(z.object({ start: millis, end: maybe(millis) })),
  }),
  z.object({
    ...partBase,
    type: z.literal('tool'),
    tool: z.string().max(500),
    callID: id,
    state: z.object({
      status: z.string().max(100),
      input: z.record(z.string().max(1_000), z.unknown()).catch({}),
      title: maybe(z.string().max(1_000_000)),
      error: maybe(z.string().max(20_000_000)),
      /** Of a shell command that ended: `exit`, its code. */
      metadata: maybe(z.object({ exit: maybe(z.number()) })).catch(undefined),
    }),
  }),
])
export type MessagePart = z.infer<typeof partSchema>
/** A call of a tool within a message. */
export type ToolPart = Extract<MessagePart, { type: 'tool' }>

/** Parts of other types (steps, reasoning, files, snapshots) are nothing to Handoff. */
const parts = z
  .array(z.unknown())
  .max(100_000)
  .transform((list) =>
    list.flatMap((part) => {
      const parsed = partSchema.safeParse(part)
      return parsed.success ? [parsed.data] : []
    }),
  )

/** A message with its pieces. */
export const messageSchema = z.object({ info: messageInfoSchema, parts })
export type Message = z.infer<typeof messageSchema>
/** Answer of `GET /session/:id/message`, oldest first. */
export const messageListSchema = z.array(messageSchema).max(100_000)

/** One rule of an agent; of those that match, the last one counts. */
export const permissionRuleSchema = z.object({
  permission: z.string().max(1_000),
  pattern: z.string().max(10_000),
  action: z.enum(['allow', 'ask', 'deny']),
})
export type PermissionRule = z.infer<typeof permissionRuleSchema>

/** Answer of `GET /agent`: the agents with their merged rules. */
export const agentListSchema = z
  .array(
    z.object({
      name: z.string().max(500),
      mode: z.string().max(100),
      hidden: maybe(z.boolean()),
      permission: z.array(permissionRuleSchema).max(10_000),
    }),
  )
  .max(1_000)
export type AgentInfo = z.infer<typeof agentListSchema>[number]

/** Answer of `GET /global/health`. */
export const healthSchema = z.object({ healthy: z.literal(true), version: z.string().max(100) })
