import { z } from 'zod'
import { clientIdSchema, clientKindSchema, roleSchema, actorSchema } from './domain/actor.ts'
import { branchSchema, originSchema, shaSchema, taskSchema, taskStateSchema } from './domain/task.ts'
import { answerSchema, ruleScopeSchema, ticketSchema, audienceSchema } from './domain/ticket.ts'
import { wireErrorSchema } from './errors.ts'

/**
 * Everything a client and agentd say to each other. One JSON object per WebSocket text message.
 * Growth: a new field is optional, a new meaning gets a new name, a feature is announced by a capability.
 */
export const PROTOCOL_VERSION = 1

/** Largest message a client may send, in bytes; a plan of 512 KiB fits. */
export const MAX_CLIENT_MESSAGE_BYTES = 1024 * 1024
/** Raw bytes per chunk of an upload or a streamed answer. */
export const CHUNK_BYTES = 192 * 1024
/** Bytes of a streamed answer that may be under way before the client has granted more with `credit`. */
export const STREAM_CREDIT_BYTES = 1024 * 1024
/** WebSocket close code of a connection whose token was revoked. */
export const CLOSE_TOKEN_REVOKED = 4401
/** agentd pings this often; a side that hears nothing for twice as long treats the connection as dead. */
export const HEARTBEAT_MS = 15_000

export const capabilities = [
  'events',
  'uploads',
  'streams',
  'wait',
  'rules',
  'audit',
  'tokens',
  'gc',
] as const

const id = z.string().min(1).max(64)
/** A task id or an unambiguous beginning of one. */
const taskRef = z.string().regex(/^[0-9a-f][0-9a-f-]{0,35}$/)
/** A ticket id, or an unambiguous beginning of its task id and of its own id: `3fa2:per_1`. */
const ticketRef = z.string().regex(/^[0-9a-f][0-9a-f-]{0,35}(:[\x21-\x7e]{0,200})?$/)
/** Chosen by the client; the same request sent twice is carried out once. */
const requestId = z.string().regex(/^[A-Za-z0-9_-]{8,64}$/)
const absolutePath = z.string().max(4_096).regex(/^\//)
const note = z.string().max(20_000)
const base64Chunk = z.string().max(Math.ceil(CHUNK_BYTES / 3) * 4 + 4)
const nothing = z.object({})

/** Shape of a declared call: input and output schema, least role, and whether it streams chunks before its result. */
export interface CallSpec {
  input: z.ZodType
  output: z.ZodType
  role: z.infer<typeof roleSchema>
  streams?: 'bytes' | 'output'
}

function call<I extends z.ZodType, O extends z.ZodType, R extends z.infer<typeof roleSchema>>(
  role: R,
  input: I,
  output: O,
) {
  return { role, input, output }
}
function stream<I extends z.ZodType, O extends z.ZodType, S extends 'bytes' | 'output'>(
  kind: S,
  input: I,
  output: O,
) {
  return { role: 'reviewer' as const, input, output, streams: kind }
}

export const executorInfoSchema = z.object({
  name: z.string().max(64),
  available: z.boolean(),
  version: z.string().max(100).optional(),
  path: z.string().max(4_096).optional(),
  problem: z.string().max(1_000).optional(),
  notes: z.array(z.string().max(1_000)).max(20),
})

export const hostInfoSchema = z.object({
  hostId: z.uuid(),
  name: z.string().max(255),
  version: z.string().max(64),
  pid: z.number().int(),
  startedAt: z.number().int(),
  home: z.string().max(4_096),
  node: z.string().max(64),
  path: z.string().max(32_768),
  /** Names of the proxy variables that executors get, never their values. */
  proxies: z.array(z.string().max(64)).max(20),
  /** Why the login shell's environment could not be read, when it could not. */
  environmentProblem: z.string().max(1_000).optional(),
  environmentFiles: z
    .array(
      z.object({
        executor: z.string().max(64),
        path: z.string().max(4_096),
        problem: z.string().max(1_000).optional(),
      }),
    )
    .max(50),
  tmux: z.string().max(200).optional(),
  git: z.string().max(200).optional(),
  listening: z.array(z.string().max(4_096)).max(10),
  executors: z.array(executorInfoSchema).max(50),
  openTasks: z.number().int(),
  databaseBytes: z.number().int(),
  watchdogMs: z.number().int(),
})

export const ruleSchema = z.object({
  id,
  scope: ruleScopeSchema,
  /** Task id, or the key of the repository. */
  target: z.string().max(4_096),
  action: z.string().max(64),
  pattern: z.string().max(1_000),
  createdAt: z.number().int(),
  createdBy: actorSchema,
  hits: z.number().int(),
  lastHitAt: z.number().int().optional(),
})
export type Rule = z.infer<typeof ruleSchema>

export const auditEntrySchema = z.object({
  id: z.number().int(),
  at: z.number().int(),
  taskId: z.string().max(64).optional(),
  ticketId: z.string().max(256).optional(),
  /** What was decided: approve, deny, answer, continue, done, cancel, escalate, rule.create, rule.revoke, token.create, … */
  decision: z.string().max(64),
  by: actorSchema,
  ruleId: z.string().max(64).optional(),
  /** The exact text decided on (command, question, path, …). */
  text: z.string().max(100_000),
  detail: z.string().max(20_000).optional(),
})
export type AuditEntry = z.infer<typeof auditEntrySchema>

export const tokenSchema = z.object({
  id,
  name: z.string().max(200),
  role: roleSchema,
  createdAt: z.number().int(),
  lastUsedAt: z.number().int().optional(),
})

/** Outcome of answering a ticket; `already_answered` carries the first answer. */
export const answerOutcomeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('applied'), ticket: ticketSchema, seq: z.number().int() }),
  z.object({ kind: z.literal('already_answered'), ticket: ticketSchema }),
  z.object({ kind: z.literal('expired'), ticket: ticketSchema }),
])

/** Proof that a person saw the exact text on a terminal before answering: what `ticket.present` gave out. */
const typedSchema = z.object({ nonce: z.string().max(64), sha256: z.string().regex(/^[0-9a-f]{64}$/) })

const repoChoice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('path'), path: absolutePath }),
  z.object({ kind: z.literal('clone'), key: z.string().regex(/^[A-Za-z0-9._-]{1,128}$/) }),
])

/** An event as it is stored; kept loose here so that a newer host's events pass through. Parse with `eventSchema`. */
export const wireEventSchema = z.looseObject({
  seq: z.number().int(),
  taskId: z.string().max(64),
  at: z.number().int(),
  type: z.string().max(64),
  body: z.record(z.string(), z.unknown()),
})
export type WireEvent = z.infer<typeof wireEventSchema>

export const calls = {
  'host.info': call('observer', nothing, hostInfoSchema),
  'gc.run': call(
    'reviewer',
    z.object({ dryRun: z.boolean() }),
    z.object({
      removed: z
        .array(z.object({ what: z.string().max(64), path: z.string().max(4_096), bytes: z.number().int() }))
        .max(10_000),
      kept: z.array(z.object({ path: z.string().max(4_096), why: z.string().max(500) })).max(10_000),
    }),
  ),

  'upload.begin': call(
    'reviewer',
    z.object({
      sizeBytes: z
        .number()
        .int()
        .min(1)
        .max(64 * 2 ** 30),
    }),
    z.object({ uploadId: id }),
  ),
  'upload.chunk': call(
    'reviewer',
    z.object({ uploadId: id, offset: z.number().int().min(0), data: base64Chunk }),
    z.object({ receivedBytes: z.number().int() }),
  ),
  'upload.drop': call('reviewer', z.object({ uploadId: id }), nothing),
  'repo.locate': call(
    'reviewer',
    z.object({
      name: z.string().min(1).max(200),
      roots: z.array(shaSchema).max(20),
      remotes: z.array(z.object({ name: z.string().max(200), url: z.string().max(4_096) })).max(20),
      want: shaSchema,
    }),
    /** `haves`: commits the host already has, to send only what is missing. */
    z.object({ key: z.string().max(128), hasWanted: z.boolean(), haves: z.array(shaSchema).max(2_000) }),
  ),
  'repo.receive': call(
    'reviewer',
    z.object({ key: z.string().regex(/^[A-Za-z0-9._-]{1,128}$/), uploadId: id, commit: shaSchema }),
    nothing,
  ),

  'task.dispatch': call(
    'reviewer',
    z.object({
      requestId,
      title: z.string().min(1).max(200),
      plan: z
        .string()
        .min(1)
        .max(512 * 1024),
      executor: z.string().min(1).max(64),
      repo: repoChoice,
      base: shaSchema.optional(),
      branch: branchSchema.optional(),
      inPlace: z.boolean().default(false),
      allowDirty: z.boolean().default(false),
      origin: originSchema.optional(),
      model: z.string().max(200).optional(),
    }),
    z.object({ task: taskSchema, seq: z.number().int() }),
  ),
  'task.list': call(
    'observer',
    z.object({
      over: z.boolean().default(false),
      states: z.array(taskStateSchema).max(8).optional(),
      limit: z.number().int().min(1).max(5_000).default(500),
      beforeId: z.uuid().optional(),
    }),
    z.object({ tasks: z.array(taskSchema), headSeq: z.number().int() }),
  ),
  'task.find': call(
    'observer',
    z.object({ ref: taskRef, limit: z.number().int().min(1).max(50).default(10) }),
    z.object({ tasks: z.array(taskSchema) }),
  ),
  'task.get': call(
    'observer',
    z.object({ task: taskRef, historyLimit: z.number().int().min(0).max(1_000).default(200) }),
    z.object({
      task: taskSchema,
      plan: z.string(),
      tickets: z.array(ticketSchema),
      events: z.array(wireEventSchema),
      rounds: z.array(
        z.object({ round: z.number().int(), from: shaSchema, to: shaSchema, summary: z.string() }),
      ),
      /** Whether a client with the role user is connected now. */
      personConnected: z.boolean(),
      tmux: z.object({ session: z.string(), socketDir: z.string().optional() }).optional(),
    }),
  ),
  'task.events': call(
    'observer',
    z.object({
      task: taskRef,
      afterSeq: z.number().int().min(0),
      limit: z.number().int().min(1).max(1_000).default(500),
    }),
    z.object({ events: z.array(wireEventSchema), headSeq: z.number().int() }),
  ),
  'task.continue': call(
    'reviewer',
    z.object({ requestId, task: taskRef, text: z.string().min(1).max(200_000) }),
    z.object({ task: taskSchema, seq: z.number().int() }),
  ),
  'task.note': call(
    'reviewer',
    z.object({ requestId, task: taskRef, text: z.string().min(1).max(20_000) }),
    z.object({ task: taskSchema, seq: z.number().int() }),
  ),
  'task.done': call(
    'reviewer',
    z.object({
      requestId,
      task: taskRef,
      push: z.boolean(),
      keepWorktree: z.boolean(),
      note: note.optional(),
    }),
    z.object({
      task: taskSchema,
      seq: z.number().int(),
      push: z.string().optional(),
      worktree: z.enum(['removed', 'kept']),
      worktreeWhy: z.string().optional(),
    }),
  ),
  'task.cancel': call(
    'reviewer',
    z.object({ requestId, task: taskRef, note: note.optional() }),
    z.object({ task: taskSchema, seq: z.number().int() }),
  ),
  'task.repair': call(
    'reviewer',
    z.object({ requestId, task: taskRef }),
    z.object({ task: taskSchema, outcome: z.string().max(2_000) }),
  ),

  'task.diff': stream(
    'bytes',
    z.object({
      task: taskRef,
      mode: z.enum(['full', 'stat', 'name-only']),
      round: z.number().int().min(1).optional(),
      against: z.number().int().min(0).optional(),
    }),
    z.object({ from: shaSchema, to: z.string().max(64), uncommitted: z.boolean() }),
  ),
  'task.fetch': stream(
    'bytes',
    z.object({ task: taskRef, path: z.string().min(1).max(4_096) }),
    z.object({ sizeBytes: z.number().int() }),
  ),
  'task.bundle': stream(
    'bytes',
    z.object({ task: taskRef, haves: z.array(shaSchema).max(2_000) }),
    z.object({ branch: branchSchema, commit: shaSchema, nothingNew: z.boolean() }),
  ),
  'task.run': stream(
    'output',
    z.object({
      task: taskRef,
      argv: z.array(z.string().max(32_768)).min(1).max(1_000),
      timeoutMs: z
        .number()
        .int()
        .min(1_000)
        .max(24 * 3_600_000),
    }),
    z.object({ exitCode: z.number().int().nullable(), signal: z.string().nullable(), timedOut: z.boolean() }),
  ),

  'ticket.list': call(
    'observer',
    z.object({
      task: taskRef.optional(),
      open: z.boolean().default(true),
      limit: z.number().int().min(1).max(5_000).default(500),
    }),
    z.object({ tickets: z.array(ticketSchema) }),
  ),
  'ticket.get': call(
    'observer',
    z.object({ ticket: ticketRef }),
    z.object({ ticket: ticketSchema, task: taskSchema }),
  ),
  /** The exact text that a person must be shown, and a nonce that says it was. */
  'ticket.present': call(
    'reviewer',
    z.object({ ticket: ticketRef }),
    z.object({ ticket: ticketSchema, text: z.string(), nonce: z.string().max(64), sha256: z.string() }),
  ),
  'ticket.answer': call(
    'reviewer',
    z.object({ requestId, ticket: ticketRef, answer: answerSchema, typed: typedSchema.optional() }),
    answerOutcomeSchema,
  ),
  'ticket.escalate': call(
    'reviewer',
    z.object({ requestId, ticket: ticketRef, why: z.string().min(1).max(2_000) }),
    z.object({ ticket: ticketSchema, seq: z.number().int() }),
  ),

  /** The rule that "remember" would save for a ticket; absent when there can be none. */
  'rule.preview': call(
    'observer',
    z.object({ ticket: ticketRef }),
    z.object({ pattern: z.string().optional(), why: z.string().max(500).optional() }),
  ),
  'rule.list': call(
    'observer',
    z.object({ task: taskRef.optional() }),
    z.object({ rules: z.array(ruleSchema) }),
  ),
  'rule.revoke': call('reviewer', z.object({ ruleId: id }), z.object({ rule: ruleSchema })),

  'audit.list': call(
    'observer',
    z.object({
      task: taskRef.optional(),
      limit: z.number().int().min(1).max(1_000).default(200),
      beforeId: z.number().int().optional(),
    }),
    z.object({ entries: z.array(auditEntrySchema) }),
  ),

  'token.present': call(
    'reviewer',
    z.object({ role: roleSchema, name: z.string().min(1).max(200) }),
    z.object({ text: z.string(), nonce: z.string().max(64), sha256: z.string() }),
  ),
  'token.create': call(
    'reviewer',
    z.object({ role: roleSchema, name: z.string().min(1).max(200), typed: typedSchema.optional() }),
    z.object({ token: z.string(), info: tokenSchema }),
  ),
  'token.list': call('reviewer', nothing, z.object({ tokens: z.array(tokenSchema) })),
  'token.revoke': call(
    'reviewer',
    z.object({ token: z.string().min(1).max(200) }),
    z.object({ info: tokenSchema, closedConnections: z.number().int() }),
  ),

  /** Blocks until something needs the consumer; the event counts as seen only after `events.ack`. */
  'wait.next': call(
    'observer',
    z.object({
      consumer: clientIdSchema,
      tasks: z.array(z.uuid()).max(100),
      until: z.enum(['wake', 'over']),
    }),
    z.object({ event: wireEventSchema, audience: audienceSchema.optional(), task: taskSchema }),
  ),
  'events.ack': call(
    'observer',
    z.object({ consumer: clientIdSchema, seq: z.number().int().min(0), taskId: z.uuid().optional() }),
    nothing,
  ),
  'agentd.stop': call('reviewer', nothing, nothing),
} as const satisfies Record<string, CallSpec>

export type CallName = keyof typeof calls
export type CallInput<N extends CallName> = z.input<(typeof calls)[N]['input']>
export type ParsedInput<N extends CallName> = z.output<(typeof calls)[N]['input']>
export type CallOutput<N extends CallName> = z.output<(typeof calls)[N]['output']>

/** First message of a connection. `resume` asks for events: after `fromSeq`, or after the consumer's own cursor. */
export const helloSchema = z.object({
  t: z.literal('hello'),
  protocol: z.number().int().min(1).max(1_000),
  clientId: clientIdSchema,
  kind: clientKindSchema,
  name: z.string().max(200),
  version: z.string().max(64),
  capabilities: z.array(z.string().max(64)).max(100),
  resume: z.object({ fromSeq: z.number().int().min(0).optional() }).optional(),
})

const callId = z
  .number()
  .int()
  .min(1)
  .max(2 ** 53 - 1)

/** What a client may send. */
export const clientMessageSchema = z.discriminatedUnion('t', [
  helloSchema,
  z.object({ t: z.literal('call'), id: callId, name: z.string().max(64), input: z.unknown() }),
  z.object({ t: z.literal('cancel'), id: callId }),
  /** The events up to `seq` are safely kept by this client; moves its cursor. */
  z.object({ t: z.literal('ack'), seq: z.number().int().min(0) }),
  /** `bytes` more of a streamed answer may be sent. */
  z.object({
    t: z.literal('credit'),
    id: callId,
    bytes: z
      .number()
      .int()
      .min(1)
      .max(2 ** 31),
  }),
])
export type ClientMessage = z.infer<typeof clientMessageSchema>

/** What agentd may send. `events` batches are in order and without a gap; a `snapshot` replaces everything known before. */
export const serverMessageSchema = z.discriminatedUnion('t', [
  z.object({
    t: z.literal('welcome'),
    protocol: z.number().int(),
    hostId: z.uuid(),
    hostName: z.string().max(255),
    version: z.string().max(64),
    capabilities: z.array(z.string().max(64)).max(100),
    role: roleSchema,
    headSeq: z.number().int(),
  }),
  z.object({ t: z.literal('refused'), error: wireErrorSchema }),
  z.object({ t: z.literal('result'), id: callId, ok: z.literal(true), value: z.unknown() }),
  /** `id` 0 answers a message that could not be read as a call. */
  z.object({ t: z.literal('error'), id: callId.or(z.literal(0)), error: wireErrorSchema }),
  z.object({
    t: z.literal('chunk'),
    id: callId,
    data: z.string(),
    channel: z.enum(['bytes', 'stdout', 'stderr']),
  }),
  z.object({ t: z.literal('events'), events: z.array(wireEventSchema) }),
  z.object({
    t: z.literal('snapshot'),
    headSeq: z.number().int(),
    tasks: z.array(taskSchema),
    tickets: z.array(ticketSchema),
    last: z.boolean(),
  }),
  /** Something every connected person should know at once: a user token was created, agentd is stopping. */
  z.object({
    t: z.literal('notice'),
    code: z.enum(['user_token_created', 'stopping', 'disk_full']),
    text: z.string().max(1_000),
  }),
])
export type ServerMessage = z.infer<typeof serverMessageSchema>
