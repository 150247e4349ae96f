import { build } from 'esbuild'
import { root } from './agentd.ts'
import type { PlainPage } from './plain-browser.ts'

/** What went by of terminals in a page. Times are ms since its navigation began. */
interface TerminalProbe {
  chars: number
  firstAt: number
  lastAt: number
  tail: string
  /** When each key was pressed and when its echo could be drawn. */
  keys: { key: string; pressedAt: number; drawnAt?: number }[]
}

declare global {
  interface Window {
    terminalProbe: TerminalProbe
    bareTerminal: (options: {
      block: string
      repeats: number
      webgl: boolean
      look: object
    }) => Promise<number>
  }
}

/**
 * Runs in a page before its own code: watches terminal data as it arrives. Reading whole messages here a second time would be
 * a cost of the bench, so of long ones only the end is read.
 */
export function terminalProbe(): void {
  const kept: TerminalProbe = { chars: 0, firstAt: 0, lastAt: 0, tail: '', keys: [] }
  window.terminalProbe = kept
  const text = new TextDecoder()
  const hear = ({ data }: MessageEvent<unknown>) => {
    if (!(data instanceof ArrayBuffer)) return
    const now = performance.now()
    kept.firstAt ||= now
    kept.lastAt = now
    kept.chars += data.byteLength
    kept.tail = text.decode(new Uint8Array(data, Math.max(0, data.byteLength - 200)))
    if (data.byteLength > 1_000) return
    for (const one of kept.keys)
      if (one.drawnAt === undefined && kept.tail.endsWith(one.key))
        requestAnimationFrame(() => (one.drawnAt ??= performance.now()))
  }
  const Original = window.WebSocket
  window.WebSocket = class extends Original {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols)
      this.addEventListener('message', hear)
    }
  }
  const onKey = ({ key, timeStamp }: KeyboardEvent) => {
    if (key.length === 1) kept.keys.push({ key, pressedAt: timeStamp })
  }
  addEventListener('keydown', onKey, { capture: true })
}

/** What went by so far. */
export function terminalProbeOf(page: PlainPage): Promise<TerminalProbe> {
  return page.evaluate(() => window.terminalProbe, undefined)
}

/** Puts bare xterm.js into a page, with the widths of characters and the renderer that the window uses. */
export async function addBareTerminal(page: PlainPage): Promise<void> {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: root, loader: 'js' },
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
  })
  await page.send('Runtime.evaluate', { expression: outputFiles[0]?.text ?? '' })
}

const script = `
import { Terminal } from '@xterm/xterm'
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes'
import { WebglAddon } from '@xterm/addon-webgl'
window.bareTerminal = ({ block, repeats, webgl, look }) => new Promise((resolve) => {
  const place = document.createElement('div')
  place.style.cssText = 'position:fixed;inset:0;z-index:1000'
  document.body.append(place)
  const terminal = new Terminal({ ...look, allowProposedApi: true, disableStdin: true })
  terminal.loadAddon(new UnicodeGraphemesAddon())
  terminal.open(place)
  if (webgl) terminal.loadAddon(new WebglAddon())
  const pieces = []
  for (let at = 0; at < block.length; at += 65536) pieces.push(block.slice(at, at + 65536))
  const all = pieces.length * repeats
  let sent = 0
  let drawn = 0
  const startedAt = performance.now()
  const more = () => {
    while (sent < all && sent - drawn < 4) terminal.write(pieces[sent++ % pieces.length], done)
  }
  const done = () => {
    drawn += 1
    if (drawn < all) return more()
    const tookMs = performance.now() - startedAt
    terminal.dispose()
    place.remove()
    resolve(tookMs)
  }
  more()
})
`
