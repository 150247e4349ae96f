import react from '@vitejs/plugin-react'
import path from 'node:path'
import { defineConfig } from 'vite'
import { startScripts } from './scripts/build/start-scripts.ts'

/** The window: one page with hashed files, the same for Electron's own scheme and for the browser shell. */
export default defineConfig({
  root: path.join(import.meta.dirname, 'renderer'),
  // Relative addresses, since the page is served from two different places.
  base: './',
  plugins: [react(), startScripts(['link', 'react', 'screens'])],
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
    rolldownOptions: {
      output: {
        // Few scripts for the start, since every further one is another question to the server; two are compiled side by side.
        codeSplitting: {
          groups: [
            { name: 'link', test: /renderer\/app\/link\.ts$/, priority: 2 },
            { name: 'react', test: /node_modules\/(react-dom|scheduler)\//, priority: 2 },
            { name: 'screens', test: /renderer\/app\/draw\.tsx$/, priority: 1 },
          ],
        },
      },
    },
  },
})
