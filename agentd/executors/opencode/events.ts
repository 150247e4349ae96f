import { z } from 'zod'
import {
  errorInfoSchema,
  messageInfoSchema,
  partSchema,
  permissionRequestSchema,
  questionRequestSchema,
  sessionInfoSchema,
  sessionStatusSchema,
} from './wire.ts'

const id = z.string().min(1).max(200)
const event = <T extends string, S extends z.ZodType>(type: T, properties: S) =>
  z.object({ type: z.literal(type), properties })

/** The events of opencode's `/event` stream that Handoff acts on. */
const knownEventSchema = z.discriminatedUnion('type', [
  event('server.connected', z.unknown()),
  event('server.heartbeat', z.unknown()),
  event('server.instance.disposed', z.unknown()),
  event('session.created', z.object({ info: sessionInfoSchema })),
  event('session.status', z.object({ sessionID: id, status: sessionStatusSchema })),
  event('session.idle', z.object({ sessionID: id })),
  event('session.error', z.object({ sessionID: id.nullish(), error: errorInfoSchema.nullish() })),
  event('permission.asked', permissionRequestSchema),
  event('permission.replied', z.object({ sessionID: id, requestID: id, reply: z.string().max(100) })),
  event('question.asked', questionRequestSchema),
  event('question.replied', z.object({ sessionID: id, requestID: id })),
  event('question.rejected', z.object({ sessionID: id, requestID: id })),
  event('message.updated', z.object({ info: messageInfoSchema })),
  event('message.part.updated', z.object({ part: partSchema })),
])
export type OpencodeEvent = z.infer<typeof knownEventSchema>

/** Reads one `data:` line of the stream. `undefined` for events that are unknown, of no interest or malformed. */
export function parseEvent(data: string): OpencodeEvent | undefined {
  let value: unknown
  try {
    value = JSON.parse(data)
  } catch {
    return undefined
  }
  const parsed = knownEventSchema.safeParse(value)
  return parsed.success ? parsed.data : undefined
}
