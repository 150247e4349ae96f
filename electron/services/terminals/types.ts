import type { TerminalData, TerminalState } from '../../../shared/ipc/terminal-calls.ts'

/** A pty in the pty host. */
export interface Pty {
  /** Output in order, whole characters in UTF-8 and how many; the promise-free side of flow control: call `pause`/`resume`. */
  onData(listener: (chunk: Uint8Array<ArrayBuffer>, chars: number) => void): void
  /** Ends once; `lost` when the pty host died. */
  onExit(
    listener: (exit: { code: number | undefined; signal: string | undefined; lost: boolean }) => void,
  ): void
  write(data: string): void
  resize(cols: number, rows: number): void
  pause(): void
  resume(): void
  kill(): void
}

/** Starts ptys in a process of their own, which is started at first use and again after a crash (at most 5 times in a row). */
export interface PtyHost {
  spawn(options: {
    argv: readonly string[]
    env: Readonly<Record<string, string>>
    cols: number
    rows: number
    cwd: string
  }): Promise<Pty>
  dispose(): Promise<void>
}

/** How the pty host's process is started: `utilityProcess.fork` in Electron, `child_process.fork` elsewhere. */
export type ForkPtyHost = () => {
  send(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  onExit(listener: (code: number | undefined) => void): void
  kill(): void
}

/** Terminals on the tmux of tasks. */
export interface TerminalService {
  /** `aheadChars` (default 0): so many the window keeps ready for itself, beside the 100 000 above which the pty is paused. */
  open(what: {
    host: string
    taskId: string
    /** Key of one of the task's windows in tmux; what the task's session shows without it. */
    window?: string | undefined
    cols: number
    rows: number
    windowId: string
    aheadChars?: number | undefined
  }): Promise<string>
  write(terminalId: string, data: string): void
  resize(terminalId: string, cols: number, rows: number): void
  ack(terminalId: string, chars: number): void
  control(terminalId: string, take: boolean): void
  retry(terminalId: string): void
  close(terminalId: string): void
  /** The window that opened a terminal: only there its events are of use. */
  windowOf(terminalId: string): string | undefined
  /** Of a window that is gone. */
  closeAllOf(windowId: string): void
  onData(listener: (data: TerminalData) => void): () => void
  onState(listener: (terminalId: string, state: TerminalState, controlled: boolean) => void): () => void
  dispose(): Promise<void>
}
