import type { Style } from './style.ts'

/** What is being waited for; shown only when it takes longer than a second. */
export interface Progress {
  update(text: string): void
  /** Takes the line away. */
  stop(): void
}

const SHOW_AFTER_MS = 1_000
/** Where nothing can move, how often a line says how far it is. */
const SAY_AGAIN_MS = 5_000
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

/** On a terminal one line that moves; elsewhere a plain line when the wait gets long, and now and then how far it is. */
export function createProgress({
  stderr,
  isTerminal,
  text,
  style,
}: {
  stderr: NodeJS.WritableStream
  isTerminal: boolean
  text: string
  style: Style
}): Progress {
  const startedAt = Date.now()
  let current = text
  let frame = 0
  let shown = false
  let said = ''
  let saidAt = 0
  const timer = setInterval(
    () => {
      if (Date.now() - startedAt < SHOW_AFTER_MS) return
      if (isTerminal) {
        const seconds = Math.floor((Date.now() - startedAt) / 1_000)
        stderr.write(
          `\r\x1b[K${style.cyan(FRAMES[frame % FRAMES.length] ?? '')} ${current} ${style.dim(`${seconds}s`)}`,
        )
        frame += 1
      } else if (current !== said && (!shown || Date.now() - saidAt >= SAY_AGAIN_MS)) {
        stderr.write(`${current} …\n`)
        said = current
        saidAt = Date.now()
      }
      shown = true
    },
    isTerminal ? 100 : 250,
  )
  timer.unref()
  return {
    update(next) {
      current = next
    },
    stop() {
      clearInterval(timer)
      if (shown && isTerminal) stderr.write('\r\x1b[K')
      shown = false
    },
  }
}
