import { WebglAddon } from '@xterm/addon-webgl'
import type { Terminal } from '@xterm/xterm'
import { withStrictStyles } from './strict-styles.ts'

/** Browsers keep about sixteen contexts for a page and drop the oldest. After a loss a terminal stays with the DOM. */
export function createGpu(terminal: Terminal) {
  let addon: WebglAddon | undefined
  let wasLost = false

  function off(): void {
    // Going back to the DOM makes its style elements anew.
    withStrictStyles(() => addon?.dispose())
    addon = undefined
  }

  return {
    isOn: () => addon !== undefined,
    /** Draws with WebGL, or with the DOM when `on` is false, or where there is no WebGL. */
    set(on: boolean): void {
      if (!on) return off()
      if (addon !== undefined || wasLost || !hasWebgl()) return
      const made = new WebglAddon()
      made.onContextLoss(() => {
        wasLost = true
        off()
      })
      terminal.loadAddon(made)
      addon = made
    },
    dispose: off,
  }
}

let webgl: boolean | undefined
function hasWebgl(): boolean {
  webgl ??= document.createElement('canvas').getContext('webgl2') !== null
  return webgl
}
