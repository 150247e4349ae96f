import { z } from 'zod'
import { wireErrorSchema } from '../wire-error.ts'
import { deskId, ipcCall, nothing, taskAt } from './call-spec.ts'

const size = { cols: z.number().int().min(2).max(1_000), rows: z.number().int().min(1).max(500) }
const terminal = z.object({ terminalId: deskId })

/** How a terminal is doing. `ended`: the tmux session is over; `lost` comes back by itself. */
export const terminalStateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('connecting') }),
  z.object({ kind: z.literal('live') }),
  z.object({ kind: z.literal('lost'), retryAt: z.number().int(), error: wireErrorSchema }),
  z.object({ kind: z.literal('ended'), error: wireErrorSchema.optional() }),
])
export type TerminalState = z.infer<typeof terminalStateSchema>

/**
 * A piece of a terminal's output: whole characters in UTF-8, and how many. `seq` rises by one per piece of one attachment,
 * from 1; 1 with `reset` begins a new screen. Bytes, since text would be read and written anew at every border it crosses.
 */
export const terminalDataSchema = z.object({
  terminalId: deskId,
  seq: z.number().int().min(1),
  reset: z.boolean(),
  chunk: z.instanceof(Uint8Array),
  chars: z.number().int().min(1),
})
export type TerminalData = z.infer<typeof terminalDataSchema>

/** Calls about terminals. Characters are UTF-16 code units, as JavaScript counts them. */
export const terminalCalls = {
  /**
   * Attaches to the tmux of a task. Read-only until `terminal.control`. `aheadChars`: so many that are not drawn the window
   * keeps ready for itself; they count as acknowledged.
   */
  'terminal.open': ipcCall(
    taskAt.extend(size).extend({
      aheadChars: z
        .number()
        .int()
        .min(0)
        .max(1024 * 1024)
        .default(0),
    }),
    z.object({ terminalId: deskId }),
  ),
  'terminal.write': ipcCall(terminal.extend({ data: z.string().max(64 * 1024) }), nothing),
  'terminal.resize': ipcCall(terminal.extend(size), nothing),
  /** `chars` more are drawn; the pty is paused above 100 000 that are not, beside those that the window keeps ready. */
  'terminal.ack': ipcCall(terminal.extend({ chars: z.number().int().min(1).max(10_000_000) }), nothing),
  /** Takes the keyboard, or gives it back. While it is not taken, `terminal.write` is refused. */
  'terminal.control': ipcCall(terminal.extend({ take: z.boolean() }), nothing),
  /** Tries to attach again at once. */
  'terminal.retry': ipcCall(terminal, nothing),
  'terminal.close': ipcCall(terminal, nothing),
} as const
