import { z } from 'zod'
import { clientIdSchema, clientKindSchema, roleSchema } from './domain/actor.ts'
import { taskSchema } from './domain/task.ts'
import { ticketSchema } from './domain/ticket.ts'
import { wireErrorSchema } from './wire-error.ts'
import type { CallSpec } from './protocol/call-spec.ts'
import { codeCalls } from './protocol/code-calls.ts'
import { hostCalls } from './protocol/host-calls.ts'
import { MAX_MARK, wireEventSchema } from './protocol/records.ts'
import { taskCalls } from './protocol/task-calls.ts'
import { ticketCalls } from './protocol/ticket-calls.ts'
import { windowCalls } from './protocol/window-calls.ts'
import { worktreeCalls } from './protocol/worktree-calls.ts'

/**
 * Everything a client and agentd say to each other. One JSON object per WebSocket text message.
 * Growth: a new field is optional, a new meaning gets a new name, a feature is announced by a capability.
 */
export const PROTOCOL_VERSION = 1

/** Largest message a client may send, in bytes; a plan of 512 KiB fits. */
export const MAX_CLIENT_MESSAGE_BYTES = 1024 * 1024
/** Bytes of a streamed answer that may be under way before the client has granted more with `credit`. */
export const STREAM_CREDIT_BYTES = 1024 * 1024
/** WebSocket close code of a connection whose token was revoked. */
export const CLOSE_TOKEN_REVOKED = 4401
/** agentd pings this often; a side that hears nothing for twice as long treats the connection as dead. */
export const HEARTBEAT_MS = 15_000

/** What this version can do beyond the bare protocol; both sides announce theirs. */
export const capabilities = [
  'events',
  'uploads',
  'streams',
  'wait',
  'rules',
  'audit',
  'tokens',
  'gc',
  'marks',
] as const

/** Every call, one entry per noun and verb. */
export const calls = {
  ...hostCalls,
  ...codeCalls,
  ...taskCalls,
  ...windowCalls,
  ...worktreeCalls,
  ...ticketCalls,
} as const satisfies Record<string, CallSpec>

/** The name of a call. */
export type CallName = keyof typeof calls
/** What a caller gives to a call. */
export type CallInput<N extends CallName> = z.input<(typeof calls)[N]['input']>
/** What a handler gets of it: checked, with defaults filled in. */
export type ParsedInput<N extends CallName> = z.output<(typeof calls)[N]['input']>
/** What a call answers. */
export type CallOutput<N extends CallName> = z.output<(typeof calls)[N]['output']>

const mark = z.string().max(MAX_MARK)

/**
 * First message of a connection. `resume` asks for events: after `fromSeq`, or after the consumer's own cursor. `mark` is the
 * `eventMark` of the event `fromSeq` as the client knows it: a host that has another one there has been restored from a backup, and
 * sends a snapshot. Hosts without the capability `marks` do not look.
 */
export const helloSchema = z.object({
  t: z.literal('hello'),
  protocol: z.number().int().min(1).max(1_000),
  clientId: clientIdSchema,
  kind: clientKindSchema,
  name: z.string().max(200),
  version: z.string().max(64),
  capabilities: z.array(z.string().max(64)).max(100),
  resume: z.object({ fromSeq: z.number().int().min(0).optional(), mark: mark.optional() }).optional(),
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
    /** Of the event `headSeq`. */
    mark: mark.optional(),
  }),
  /** Something every connected person should know at once: a user token was created, agentd is stopping. */
  z.object({
    t: z.literal('notice'),
    code: z.enum(['user_token_created', 'stopping', 'disk_full']),
    text: z.string().max(1_000),
  }),
])
export type ServerMessage = z.infer<typeof serverMessageSchema>
