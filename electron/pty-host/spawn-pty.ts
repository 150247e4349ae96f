import { ReadStream } from 'node:tty'
import { spawn, type IPty } from 'node-pty'

// node-pty gives bytes only with `encoding: null`. But then it does not tell the system that the terminal speaks UTF-8 (IUTF8),
// and a backspace in a password that ssh asks for takes away a part of a character. So it is asked for text, and the stream
// of a terminal, of which there are no others in this process, leaves its bytes as they are.
ReadStream.prototype.setEncoding = function leaveBytes() {
  return this
}

/** What a program in a pty is started with. */
export interface PtyStart {
  file: string
  args: string[]
  env: Record<string, string>
  cwd: string
  cols: number
  rows: number
}

/** Starts a program in a pty that speaks UTF-8. Its output is bytes, cut anywhere. Throws when it cannot be started. */
export function spawnPty({ file, args, env, ...place }: PtyStart): {
  pty: IPty
  onBytes(hear: (bytes: Uint8Array) => void): void
} {
  const pty = spawn(file, args, { name: env['TERM'] ?? 'xterm-256color', env, ...place })
  return {
    pty,
    onBytes(hear) {
      // On Windows it is text all the same.
      pty.onData((chunk: string | Uint8Array) => hear(typeof chunk === 'string' ? Buffer.from(chunk) : chunk))
    },
  }
}
