import { build } from 'esbuild'
import type { BrowserContext, Page } from 'playwright-core'
import { root } from './agentd.ts'

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

/** Watches terminal data as it arrives at every page of a context, before the window's own code hears of it. */
export async function addTerminalProbe(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const kept: TerminalProbe = { chars: 0, firstAt: 0, lastAt: 0, tail: '', keys: [] }
    window.terminalProbe = kept
    const hear = ({ data }: MessageEvent<string>) => {
      // Reading the whole message here a second time would be a cost of the bench.
      if (!data.startsWith('{"event":"terminal.data"')) return
      const now = performance.now()
      kept.firstAt ||= now
      kept.lastAt = now
      kept.chars += data.length
      if (data.length > 1_000) {
        kept.tail = data.slice(-200)
        return
      }
      const { chunk } = (JSON.parse(data) as { payload: { chunk: string } }).payload
      kept.tail = chunk
      for (const one of kept.keys)
        if (one.drawnAt === undefined && chunk.includes(one.key))
          requestAnimationFrame(() => (one.drawnAt ??= performance.now()))
    }
    const Original = window.WebSocket
    window.WebSocket = class extends Original {
      constructor(url: string | URL, protocols?: string | string[]) {
        super(url, protocols)
        this.addEventListener('message', hear)
      }
    }
    addEventListener(
      'keydown',
      ({ key, timeStamp }) => {
        if (key.length === 1) kept.keys.push({ key, pressedAt: timeStamp })
      },
      { capture: true },
    )
  })
}

/** What went by so far. */
export function terminalProbeOf(page: Page): Promise<TerminalProbe> {
  return page.evaluate(() => window.terminalProbe)
}

/** Puts bare xterm.js into a page, with the widths of characters and the renderer that the window uses. */
export async function addBareTerminal(page: Page): Promise<void> {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: root, loader: 'js' },
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
  })
  await page.evaluate(outputFiles[0]?.text ?? '')
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
