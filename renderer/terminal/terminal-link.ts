import { toWireError, type AppError } from '../../shared/errors.ts'
import type { IpcEvent } from '../../shared/ipc.ts'
import type { TerminalState } from '../../shared/ipc/terminal-calls.ts'
import { call, subscribe } from '../bridge/bridge.ts'
import { onDeskChange } from '../bridge/desk-store.ts'
import { asAppError } from '../bridge/use-call.ts'

/** Columns and rows. */
export interface Size {
  cols: number
  rows: number
}

interface LinkNeeds {
  host: string
  taskId: string
  /** One of the task's windows; what its session shows without it. */
  window?: string | undefined
  /** A piece of the screen in UTF-8; `drawn` is to be called when it is on it. With `reset` a new screen begins. */
  onScreen(chunk: Uint8Array, reset: boolean, drawn: () => void): void
  onState(state: TerminalState, controlled: boolean): void
}

type Data = IpcEvent<'terminal.data'>
type State = IpcEvent<'terminal.state'>

/** So many drawn characters are acknowledged at a time, or more: each is a call. What is left is far less than is kept ready here. */
const ACK_CHARS = 64 * 1024
/**
 * So many may wait here to be drawn beside what the services send ahead: while they hear of what was drawn and send more there
 * is always something to draw. It is a fraction of a second of drawing, and all that a window ever holds.
 */
const QUEUE_CHARS = 1024 * 1024
const WRITE_CHARS = 64 * 1024

/** The window's end of a terminal: opens it, opens it again when the services have forgotten it, and counts what was drawn. */
export function createTerminalLink({ host, taskId, window, onScreen, onState }: LinkNeeds) {
  let size: Size | undefined
  let terminalId: string | undefined
  /** Rises with every opening; what answers an older one is dropped. */
  let turn = 0
  let isOpening = false
  let lastSeq = 0
  let chars = { drawn: 0, acked: 0 }
  let isAckDue = false
  /** Events may be here before the answer that says whose they are. */
  let early: (() => void)[] = []
  let isClosed = false

  function hearData(event: Data): void {
    if (isOpening) return void early.push(() => hearData(event))
    if (event.terminalId !== terminalId) return
    if (event.reset) lastSeq = 0
    // A gap: what is on the screen cannot be right any more.
    if (event.seq !== lastSeq + 1) return void open()
    lastSeq = event.seq
    const counted = chars
    onScreen(event.chunk, event.reset, () => {
      counted.drawn += event.chars
      if (counted === chars) acknowledge()
    })
  }

  /** What is drawn in one go is acknowledged in one call. */
  function acknowledge(): void {
    if (isAckDue || chars.drawn - chars.acked < ACK_CHARS) return
    isAckDue = true
    queueMicrotask(() => {
      isAckDue = false
      const done = chars.drawn - chars.acked
      if (done < ACK_CHARS || terminalId === undefined) return
      chars.acked += done
      call('terminal.ack', { terminalId, chars: done }).catch(trouble)
    })
  }

  function hearState(event: State): void {
    if (isOpening) return void early.push(() => hearState(event))
    if (event.terminalId === terminalId) onState(event.state, event.controlled)
  }

  async function open(): Promise<void> {
    if (size === undefined || isClosed) return
    const mine = (turn += 1)
    forget()
    isOpening = true
    onState({ kind: 'connecting' }, false)
    try {
      const opened = await call('terminal.open', {
        host,
        taskId,
        ...(window === undefined ? {} : { window }),
        ...size,
        aheadChars: QUEUE_CHARS,
      })
      if (mine !== turn) return void call('terminal.close', opened).catch(trouble)
      terminalId = opened.terminalId
      lastSeq = 0
      chars = { drawn: 0, acked: 0 }
    } catch (error) {
      if (mine === turn) onState({ kind: 'ended', error: toWireError(asAppError(error)) }, false)
    }
    if (mine !== turn) return
    isOpening = false
    for (const hear of early.splice(0)) hear()
  }

  function forget(): void {
    if (terminalId !== undefined) void call('terminal.close', { terminalId }).catch(trouble)
    terminalId = undefined
    early = []
  }

  /** Most failures are told by the terminal's state; but services that never heard of a terminal will not tell of it. */
  function trouble(reason: unknown): void {
    const error: AppError = asAppError(reason)
    if (error.code === 'bad_request' && terminalId !== undefined && !isClosed) void open()
  }

  // After a cut between window and services everything is read anew, and terminals of before may be gone.
  const stops = [
    subscribe('terminal.data', hearData),
    subscribe('terminal.state', hearState),
    onDeskChange(({ tasks }) => tasks === 'all' && tellSize()),
  ]

  function tellSize(): void {
    if (terminalId !== undefined && size !== undefined)
      call('terminal.resize', { terminalId, ...size }).catch(trouble)
  }

  return {
    /** Opens at the first call. */
    resize(next: Size): void {
      if (size?.cols === next.cols && size.rows === next.rows) return
      const isFirst = size === undefined
      size = next
      if (isFirst) void open()
      else tellSize()
    },
    type(data: string): void {
      for (const piece of pieces(data))
        if (terminalId !== undefined) call('terminal.write', { terminalId, data: piece }).catch(trouble)
    },
    control(take: boolean): void {
      if (terminalId !== undefined) call('terminal.control', { terminalId, take }).catch(trouble)
    },
    /** Tries at once. */
    retry(): void {
      if (terminalId === undefined) void open()
      else call('terminal.retry', { terminalId }).catch(trouble)
    },
    close(): void {
      isClosed = true
      turn += 1
      for (const stop of stops) stop()
      forget()
    },
  }
}

/** The window's end of one terminal. */
export type TerminalLink = ReturnType<typeof createTerminalLink>

/** Cuts what was pasted into pieces that a call takes, not between the halves of a surrogate pair. */
export function* pieces(data: string): Generator<string> {
  for (let start = 0; start < data.length;) {
    let end = Math.min(data.length, start + WRITE_CHARS)
    const last = data.charCodeAt(end - 1)
    if (end < data.length && last >= 0xd800 && last <= 0xdbff) end -= 1
    yield data.slice(start, end)
    start = end
  }
}
