import { FitAddon } from '@xterm/addon-fit'
import { SearchAddon } from '@xterm/addon-search'
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes'
import { WebLinksAddon } from '@xterm/addon-web-links'
import { Terminal, type ITerminalOptions } from '@xterm/xterm'
import { isMac } from '../ui/keys.ts'
import { createFeed } from './feed.ts'
import { createGpu } from './gpu.ts'
import { isSeveralLines, withoutControls } from './pasted.ts'
import { isOurs } from './screen-keys.ts'
import { withStrictStyles } from './strict-styles.ts'
import type { Size } from './terminal-link.ts'

interface ScreenNeeds {
  container: HTMLElement
  label: string
  look: ITerminalOptions
  onInput(data: string): void
  onSize(size: Size): void
  /** More than one line for a program that would run each at once. */
  onRiskyPaste(text: string): void
  /** Somebody typed or pasted while the screen is read-only. */
  onRefused(): void
  onLink(url: string): void
}

/** Ends whatever sequence was cut off, then clears everything. In the stream, so that it comes after what is still queued. */
const NEW_SCREEN = new TextEncoder().encode('\x18\x1bc')
const FOUND = {
  matchBackground: '#5a4a1c',
  matchOverviewRuler: '#e0b866',
  activeMatchBackground: '#b9862a',
  activeMatchColorOverviewRuler: '#f0cf8b',
}

/** xterm.js in a container, with all that it needs here. Read-only until `setControlled(true)`. */
export function createScreen(needs: ScreenNeeds) {
  const { container } = needs
  let controlled = false
  const link = (event: MouseEvent, url: string) => {
    // A plain click sets the focus or selects; a link of a stranger opens only on purpose.
    if ((isMac ? event.metaKey : event.ctrlKey) && /^https?:/i.test(url)) needs.onLink(url)
  }
  const pointAt = (url: string | undefined) => {
    container.title = url ?? ''
  }
  const terminal = new Terminal({
    ...needs.look,
    allowProposedApi: true,
    disableStdin: true,
    macOptionIsMeta: true,
    cursorInactiveStyle: 'outline',
    linkHandler: { activate: link, hover: (_event, url) => pointAt(url), leave: () => pointAt(undefined) },
  })
  const fit = new FitAddon()
  const search = new SearchAddon({ highlightLimit: 1_000 })
  terminal.loadAddon(fit)
  terminal.loadAddon(search)
  terminal.loadAddon(new UnicodeGraphemesAddon())
  terminal.loadAddon(
    new WebLinksAddon(link, { hover: (_event, url) => pointAt(url), leave: () => pointAt(undefined) }),
  )
  withStrictStyles(() => terminal.open(container))
  terminal.textarea?.setAttribute('aria-label', needs.label)
  terminal.textarea?.setAttribute('aria-multiline', 'true')
  const gpu = createGpu(terminal)
  const feed = createFeed({ write: (bytes, read) => terminal.write(bytes, read) })
  terminal.onData(needs.onInput)
  terminal.attachCustomKeyEventHandler((event) => {
    // Without the keyboard all keys are the desk's own, Tab included.
    if (controlled) return !isOurs(event)
    if (event.type === 'keydown' && isText(event)) needs.onRefused()
    return false
  })

  /** Pasting several lines into a program that takes each as a command is asked about first. */
  function onPaste(event: ClipboardEvent): void {
    event.preventDefault()
    event.stopPropagation()
    if (!controlled) return needs.onRefused()
    const text = withoutControls(event.clipboardData?.getData('text/plain') ?? '')
    if (isSeveralLines(text) && !terminal.modes.bracketedPasteMode) needs.onRiskyPaste(text)
    else terminal.paste(text)
  }
  container.addEventListener('paste', onPaste, { capture: true })
  const stopSizes = followSize(container, () => {
    const size = bounded(fit.proposeDimensions())
    if (size === undefined) return
    if (size.cols !== terminal.cols || size.rows !== terminal.rows) terminal.resize(size.cols, size.rows)
    needs.onSize(size)
  })

  return {
    terminal,
    search,
    found: FOUND,
    gpu,
    /** The lines that would be seen. */
    rows(): string[] {
      const { active } = terminal.buffer
      return Array.from(
        { length: terminal.rows },
        (_none, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? '',
      )
    },
    /** `drawn` is called when the piece is on the screen. */
    write(chunk: Uint8Array, reset: boolean, drawn: () => void): void {
      if (reset) feed.add(NEW_SCREEN, () => undefined)
      feed.add(chunk, drawn)
    },
    setControlled(on: boolean): void {
      controlled = on
      terminal.options.disableStdin = !on
    },
    setLook(look: ITerminalOptions): void {
      Object.assign(terminal.options, look)
      stopSizes.again()
    },
    /** Copies what is selected, in a way that needs no permission. Answers whether there was something. */
    copy(): boolean {
      if (!terminal.hasSelection()) return false
      terminal.focus()
      return document.execCommand('copy')
    },
    dispose(): void {
      stopSizes.stop()
      container.removeEventListener('paste', onPaste, { capture: true })
      feed.dispose()
      gpu.dispose()
      terminal.dispose()
    },
  }
}

/** xterm.js with everything around it. */
export type Screen = ReturnType<typeof createScreen>

function followSize(container: HTMLElement, measure: () => void) {
  let frame = 0
  const again = () => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(measure)
  }
  const observer = new ResizeObserver(again)
  observer.observe(container)
  return {
    again,
    stop(): void {
      cancelAnimationFrame(frame)
      observer.disconnect()
    },
  }
}

/** What the contract allows; undefined while the container is not laid out. */
function bounded(size: Size | undefined): Size | undefined {
  if (size === undefined || !(size.cols >= 2) || !(size.rows >= 1)) return undefined
  return { cols: Math.min(1_000, size.cols), rows: Math.min(500, size.rows) }
}

function isText(event: KeyboardEvent): boolean {
  return (
    !event.ctrlKey && !event.metaKey && !event.altKey && (event.key.length === 1 || event.key === 'Enter')
  )
}
