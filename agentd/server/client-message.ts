import type { RawData } from 'ws'
import { AppError } from '../../shared/errors.ts'
import { clientMessageSchema, PROTOCOL_VERSION, type ClientMessage } from '../../shared/protocol.ts'

/** What came in from a client. */
export type ReadMessage =
  | { kind: 'message'; message: ClientMessage }
  | { kind: 'unreadable'; why: string }
  /** A hello of another version of the protocol. */
  | { kind: 'mismatch'; error: AppError }

/** Reads one frame; never throws, whatever it holds. */
export function readClientMessage(data: RawData, isBinary: boolean): ReadMessage {
  if (isBinary) return { kind: 'unreadable', why: 'Messages are text.' }
  const value = parseJson(data)
  const error = otherProtocol(value)
  if (error !== undefined) return { kind: 'mismatch', error }
  const parsed = clientMessageSchema.safeParse(value)
  if (parsed.success) return { kind: 'message', message: parsed.data }
  return { kind: 'unreadable', why: 'The message is not one of the protocol.' }
}

/** The JSON value of a message; undefined, which no message is, when it is not JSON. */
function parseJson(data: RawData): unknown {
  try {
    return JSON.parse(data.toString())
  } catch {
    return undefined
  }
}

/** A hello of another protocol version may look different otherwise, so only these two fields are read. */
function otherProtocol(value: unknown): AppError | undefined {
  if (typeof value !== 'object' || value === null || !('t' in value) || !('protocol' in value))
    return undefined
  if (value.t !== 'hello' || !Number.isSafeInteger(value.protocol) || value.protocol === PROTOCOL_VERSION)
    return undefined
  return new AppError({
    code: 'protocol_mismatch',
    message: `This host speaks protocol ${PROTOCOL_VERSION}, the client ${value.protocol}.`,
    hint: 'Update Handoff on the older side.',
    details: { host: PROTOCOL_VERSION, client: value.protocol },
  })
}
