import { z } from 'zod'
import type { roleSchema } from '../domain/actor.ts'

/** Raw bytes per chunk of an upload or a streamed answer. */
export const CHUNK_BYTES = 192 * 1024

/** An id that a host gave out. */
export const id = z.string().min(1).max(64)
/** A task id or an unambiguous beginning of one. */
export const taskRef = z.string().regex(/^[0-9a-f][0-9a-f-]{0,35}$/)
/** A ticket id, or an unambiguous beginning of its task id and of its own id: `3fa2:per_1`. */
export const ticketRef = z.string().regex(/^[0-9a-f][0-9a-f-]{0,35}(:[\x21-\x7e]{0,200})?$/)
/** Chosen by the client; the same request sent twice is carried out once. */
export const requestId = z.string().regex(/^[A-Za-z0-9_-]{8,64}$/)
/** A path on the host. */
export const absolutePath = z.string().max(4_096).regex(/^\//)
/** A remark of a person. */
export const note = z.string().max(20_000)
/** One chunk of bytes in base64. */
export const base64Chunk = z.string().max(Math.ceil(CHUNK_BYTES / 3) * 4 + 4)
/** A call without input, or without anything to say. */
export const nothing = z.object({})

/** Proof that a person saw the exact text on a terminal before answering: what `ticket.present` gave out. */
export const typedSchema = z.object({ nonce: z.string().max(64), sha256: z.string().regex(/^[0-9a-f]{64}$/) })

/**
 * What was asked when somebody decided, as `askDigest` of shared/node makes it. Something else is asked by now, as on a host that was
 * restored from a backup: `wrong_answer`, and nothing is done. Older hosts do not look.
 */
export const seenSchema = z.string().regex(/^[A-Za-z0-9_-]{43}$/)

/** Shape of a declared call: input and output schema, least role, and whether it streams chunks before its result. */
export interface CallSpec {
  input: z.ZodType
  output: z.ZodType
  role: z.infer<typeof roleSchema>
  streams?: 'bytes' | 'output'
}

/** Declares a call that answers once. */
export function call<I extends z.ZodType, O extends z.ZodType, R extends z.infer<typeof roleSchema>>(
  role: R,
  input: I,
  output: O,
) {
  return { role, input, output }
}

/** Declares a call that sends chunks before its result. */
export function stream<I extends z.ZodType, O extends z.ZodType, S extends 'bytes' | 'output'>(
  kind: S,
  input: I,
  output: O,
) {
  return { role: 'reviewer' as const, input, output, streams: kind }
}
