import type { ITerminalOptions, ITheme } from '@xterm/xterm'
import type { Settings } from '../../shared/ipc/settings.ts'

/** Colours for a dark ground; the terminal is dark in both themes, as the programs in it expect. */
const ANSI: ITheme = {
  black: '#2b2a28',
  red: '#f08078',
  green: '#7fcf9c',
  yellow: '#e0b866',
  blue: '#8fb4ff',
  magenta: '#d3a1e6',
  cyan: '#7cc9cf',
  white: '#d8d6cf',
  brightBlack: '#8a8880',
  brightRed: '#ff9c94',
  brightGreen: '#9be3b5',
  brightYellow: '#f0cf8b',
  brightBlue: '#b1caff',
  brightMagenta: '#e5bff3',
  brightCyan: '#a0e2e6',
  brightWhite: '#f7f5ef',
}

/** How terminals look: the person's choices, and the colours and fonts of the page as it is now. */
export function terminalLook(settings: Settings, canType: boolean): ITerminalOptions {
  const style = getComputedStyle(document.documentElement)
  const token = (name: string, otherwise: string) => style.getPropertyValue(name).trim() || otherwise
  const { fontFamily, fontSizePx, lineHeight, scrollbackLines, cursorBlink } = settings.terminal
  const mono = token('--font-mono', 'monospace')
  const background = token('--term', '#1b1b1a')
  const foreground = token('--term-text', '#d8d6cf')
  const reduced = settings.reduceMotion || matchMedia('(prefers-reduced-motion: reduce)').matches
  return {
    // What the chosen font lacks (CJK) comes from the fonts behind it.
    fontFamily: fontFamily.trim() === '' ? mono : `${fontFamily}, ${mono}`,
    fontSize: fontSizePx,
    lineHeight,
    scrollback: scrollbackLines,
    cursorBlink: cursorBlink && canType && !reduced,
    theme: {
      ...ANSI,
      background,
      foreground,
      cursor: foreground,
      cursorAccent: background,
      selectionBackground: '#5b7bd566',
      scrollbarSliderBackground: '#ffffff22',
      scrollbarSliderHoverBackground: '#ffffff3a',
      scrollbarSliderActiveBackground: '#ffffff4a',
    },
  }
}

/** Hears when light and dark change; answers how to stop. */
export function onThemeChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}
