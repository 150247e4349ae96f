import { displayWidth, truncate } from '../../../shared/domain/text-width.ts'
import { wrapText } from './wrap.ts'

type Style = 'plain' | 'dim' | 'bold' | 'green' | 'yellow' | 'red' | 'cyan' | 'title'

/** A piece of the transcript: wrapped text behind a mark, indented below it. */
export interface Entry {
  mark?: string
  text: string
  style: Style
}

/** What the last lines of the screen say. */
export type Live =
  | { kind: 'working'; text: string }
  | { kind: 'waiting'; title: string; lines: string[] }
  | { kind: 'idle'; text: string }

const SGR: Record<Style, string> = {
  plain: '',
  // Grey and not faint: faint text is half as strong, which few themes leave readable.
  dim: '\x1b[90m',
  bold: '\x1b[1m',
  green: '\x1b[32m',
  yellow: '\x1b[33m',
  red: '\x1b[31m',
  cyan: '\x1b[36m',
  title: '\x1b[1;36m',
}
const RESET = '\x1b[0m'
const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const KEPT_ENTRIES = 400
const SPIN_MS = 120

interface Deps {
  out: NodeJS.WriteStream
  header: string
  /** Plain text of everything that was shown, for the log's tail. */
  transcript: (line: string) => void
}

/** The pane's picture: a transcript that scrolls, and below it a few lines that say what is going on. */
export function createScreen({ out, header, transcript }: Deps) {
  const entries: Entry[] = []
  let live: Live = { kind: 'idle', text: 'starting' }
  let typing: Entry | undefined
  let liveRows = 0
  let frame = 0
  let timer: NodeJS.Timeout | undefined
  let pending: string[] = []
  let drawing: NodeJS.Immediate | undefined

  const columns = () => Math.max(20, (out.columns || 80) - 1)

  function liveLines(): string[] {
    const typed = typing === undefined ? [] : renderEntry(typing, columns())
    return [...typed, ...renderLive(live, { columns: columns(), frame, header })]
  }

  function clearLive(): string {
    if (liveRows === 0) return ''
    return `\r${liveRows > 1 ? `\x1b[${liveRows - 1}A` : ''}\x1b[J`
  }

  function draw(added: string[]): void {
    if (!out.isTTY) return
    pending.push(...added)
    drawing ??= setImmediate(flush)
  }

  /** Writes what has come together at once: a burst of output is one picture, not thousands. */
  function flush(): void {
    if (drawing !== undefined) clearImmediate(drawing)
    drawing = undefined
    const rows = liveLines().slice(-Math.max(3, (out.rows || 24) - 2))
    const text = `${clearLive()}${pending.map((line) => `${line}\n`).join('')}${rows.join('\n')}`
    pending = []
    liveRows = rows.length
    out.write(`\x1b[?25l${text}`)
  }

  function redraw(): void {
    const rows = entries.flatMap((entry) => renderEntry(entry, columns())).slice(-(out.rows || 24))
    liveRows = 0
    pending = []
    if (out.isTTY) out.write('\x1b[2J\x1b[H')
    draw(rows)
  }

  function spin(): void {
    // Only work spins: a program that waits for a person costs nothing.
    const wanted = live.kind === 'working' && out.isTTY
    if (wanted && timer === undefined) {
      timer = setInterval(() => {
        frame += 1
        draw([])
      }, SPIN_MS)
    } else if (!wanted && timer !== undefined) {
      clearInterval(timer)
      timer = undefined
    }
  }

  out.on('resize', redraw)

  return {
    add(entry: Entry): void {
      typing = undefined
      entries.push(entry)
      if (entries.length > KEPT_ENTRIES) entries.shift()
      transcript(`${entry.mark ?? ''}${entry.text}`)
      draw(renderEntry(entry, columns()))
    },
    /** Shows a text that is still being typed; `add` makes it final. */
    type(entry: Entry): void {
      typing = entry
      draw([])
    },
    show(next: Live): void {
      live = next
      spin()
      draw([])
    },
    dispose(): void {
      if (timer !== undefined) clearInterval(timer)
      out.off('resize', redraw)
      if (!out.isTTY) return
      flush()
      out.write('\x1b[?25h\n')
    },
  }
}
export type Screen = ReturnType<typeof createScreen>

function renderEntry({ mark = '', text, style }: Entry, columns: number): string[] {
  const indent = ' '.repeat(displayWidth(mark))
  return wrapText(text, columns - indent.length).map(
    (line, index) => `${SGR[style]}${index === 0 ? mark : indent}${line}${RESET}`,
  )
}

function renderLive(live: Live, at: { columns: number; frame: number; header: string }): string[] {
  const rule = `${SGR.dim}${'─'.repeat(at.columns)}${RESET}`
  const header = `${SGR.dim}${truncate(at.header, at.columns)}${RESET}`
  if (live.kind === 'working') {
    const sign = SPINNER[at.frame % SPINNER.length] ?? '·'
    return ['', rule, `${SGR.cyan}${sign} ${truncate(live.text, at.columns - 2)}${RESET}`, header]
  }
  if (live.kind === 'idle') {
    return ['', rule, `${SGR.green}● ${truncate(live.text, at.columns - 2)}${RESET}`, header]
  }
  const body = live.lines.flatMap((line) =>
    renderEntry({ mark: '  ', text: line, style: 'plain' }, at.columns),
  )
  // Reversed, and not black on yellow: bold black is grey in many terminals, and cannot be read on yellow.
  const title = `\x1b[33;7m ${truncate(live.title, at.columns - 2)} ${RESET}`
  return ['', `${SGR.yellow}${'━'.repeat(at.columns)}${RESET}`, title, ...body, header]
}
