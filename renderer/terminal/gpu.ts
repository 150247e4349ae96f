import { WebglAddon } from '@xterm/addon-webgl'
import type { Terminal } from '@xterm/xterm'
import { withStrictStyles } from './strict-styles.ts'

/**
 * Browsers keep about sixteen contexts for a page and drop the oldest. After a loss, and where no graphics processor draws, a
 * terminal stays with the DOM.
 */
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
    /** Draws with WebGL, or with the DOM: where there is no WebGL, and for `auto` also where it would be drawn in software. */
    set(how: 'auto' | 'webgl' | 'dom'): void {
      if (how === 'dom') return off()
      if (addon !== undefined || wasLost) return
      const kind = webglKind()
      if (kind === 'none' || (kind === 'software' && how === 'auto')) return
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

/** Drawing in software under these names is a third as fast as the DOM (measured), and takes the processor from everything else. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i

type WebglKind = 'gpu' | 'software' | 'none'
let known: WebglKind | undefined

function webglKind(): WebglKind {
  known ??= askForWebgl()
  return known
}

function askForWebgl(): WebglKind {
  const context = document.createElement('canvas').getContext('webgl2')
  if (context === null) return 'none'
  const info = context.getExtension('WEBGL_debug_renderer_info')
  const name = info === null ? '' : String(context.getParameter(info.UNMASKED_RENDERER_WEBGL))
  context.getExtension('WEBGL_lose_context')?.loseContext()
  return SOFTWARE.test(name) ? 'software' : 'gpu'
}
