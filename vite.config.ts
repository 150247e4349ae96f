import react from '@vitejs/plugin-react'
import path from 'node:path'
import { defineConfig, type HtmlTagDescriptor, type Plugin } from 'vite'

/**
 * The screens are not imported by the page's first script, which would wait for them, but fetched with it: the page names them
 * and their style sheets.
 */
function screensAhead(module: string): Plugin {
  return {
    name: 'screens-ahead',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const scripts = new Set<string>()
        const styles = new Set<string>()
        const add = (file: string) => {
          const chunk = bundle[file]
          if (chunk?.type !== 'chunk' || scripts.has(file)) return
          scripts.add(file)
          for (const style of chunk.viteMetadata?.importedCss ?? []) styles.add(style)
          chunk.imports.forEach(add)
        }
        const screens = Object.values(bundle).find(
          (file) => file.type === 'chunk' && file.moduleIds.some((id) => id.endsWith(module)),
        )
        if (screens === undefined) throw new Error(`no script of the window holds ${module}`)
        add(screens.fileName)
        const isNew = (file: string) => !html.includes(`./${file}`)
        const link = (rel: string, file: string): HtmlTagDescriptor => ({
          tag: 'link',
          attrs: { rel, crossorigin: true, href: `./${file}` },
        })
        const tags = [
          ...[...scripts].filter(isNew).map((file) => link('modulepreload', file)),
          ...[...styles].filter(isNew).map((file) => link('stylesheet', file)),
        ]
        return tags.map((tag) => ({ ...tag, injectTo: 'head' }))
      },
    },
  }
}

/** The window: one page with hashed files, the same for Electron's own scheme and for the browser shell. */
export default defineConfig({
  root: path.join(import.meta.dirname, 'renderer'),
  // Relative addresses, since the page is served from two different places.
  base: './',
  plugins: [react(), screensAhead('renderer/app/draw.tsx')],
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
        // Two scripts for the start, each with all that it imports: every further one is another question to the server.
        codeSplitting: {
          groups: [
            { name: 'link', test: /renderer\/main\.ts$/, priority: 2 },
            { name: 'screens', test: /renderer\/app\/draw\.tsx$/, priority: 1 },
          ],
        },
      },
    },
  },
})
