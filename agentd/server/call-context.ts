import type { Actor, Role } from '../../shared/domain/actor.ts'
import type { CallName, CallOutput, ParsedInput } from '../../shared/protocol.ts'

/** Who calls, and how a streaming call answers. */
export interface CallContext {
  actor: Extract<Actor, { kind: 'client' }>
  role: Role
  /** Aborted when the client cancels the call or its connection ends. */
  signal: AbortSignal
  /** Aborted when the connection ends; the same object for all calls of one connection. */
  connectionSignal: AbortSignal
  /** Sends a piece of a streamed answer; resolves when the client has room for more, rejects when it is gone. */
  write(data: Uint8Array, channel: 'bytes' | 'stdout' | 'stderr'): Promise<void>
}

/** One handler per call of the protocol; a missing one does not compile. */
export type Handlers = {
  [N in CallName]: (input: ParsedInput<N>, context: CallContext) => Promise<CallOutput<N>> | CallOutput<N>
}

/** The handlers of one area. */
export type SomeHandlers<N extends CallName> = Pick<Handlers, N>

/** Who is connected now. `onChange` fires when the first person arrives or the last one leaves. */
export interface Presence {
  personConnected(): boolean
  onChange(listener: () => void): () => void
}
