import { z } from 'zod'
import { wireErrorSchema } from '../wire-error.ts'
import { taskWindowSchema } from '../protocol/window-calls.ts'
import { deskId, ipcCall, mayCancel, nothing, taskAt } from './call-spec.ts'

const size = { cols: z.number().int().min(2).max(1_000), rows: z.number().int().min(1).max(500) }
const terminal = z.object({ terminalId: deskId })

/** Names a window among those of a task. */
const windowKey = z.string().min(1).max(64)
const windowView = taskWindowSchema.pick({ key: true, kind: true, name: true, ended: true })
/** A window of a task in tmux, or a shell that somebody opened for it. */
export type WindowView = z.infer<typeof windowView>

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
   * Attaches to the tmux of a task: to what its session shows, or to one `window`. Read-only until `terminal.control`. `aheadChars`: so many that are not drawn the window
   * keeps ready for itself; they count as acknowledged.
   */
  'terminal.open': ipcCall(
    taskAt.extend(size).extend({
      window: windowKey.optional(),
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
  /** What there is to see of a task, the first what `terminal.open` shows without `window`. `canOpenShell` is false for hosts that are older. */
  'terminal.windows': ipcCall(
    taskAt,
    z.object({ windows: z.array(windowView).max(100), canOpenShell: z.boolean() }),
  ),
  /** Opens a shell in the task's worktree on its host. It lives there until it is left, closed, or the task is over. */
  'terminal.openShell': ipcCall(taskAt.extend(mayCancel), z.object({ window: windowKey })),
  /** Closes a shell; without `force` not one in which a program runs, which is named. */
  'terminal.closeShell': ipcCall(
    taskAt.extend({ window: windowKey, force: z.boolean(), ...mayCancel }),
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('closed') }),
      z.object({ kind: z.literal('busy'), program: z.string().max(200) }),
    ]),
  ),
} as const
