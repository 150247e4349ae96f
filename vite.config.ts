import react from '@vitejs/plugin-react'
import path from 'node:path'
import { defineConfig } from 'vite'

/** The window: one page with hashed files, the same for Electron's own scheme and for the browser shell. */
export default defineConfig({
  root: path.join(import.meta.dirname, 'renderer'),
  // Relative addresses, since the page is served from two different places.
  base: './',
  plugins: [react()],
  // Split like the rest: a worker loads the grammar of a language when it meets it, not all of them.
  worker: { format: 'es' },
  build: {
    target: 'chrome140',
    sourcemap: false,
    emptyOutDir: true,
    // The content security policy allows no inline script, which the polyfill would be.
    modulePreload: { polyfill: false },
    // A data: URL in a style sheet would need an exception in the policy for fonts.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_000,
  },
})
