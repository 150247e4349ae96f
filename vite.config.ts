import react from '@vitejs/plugin-react'
import path from 'node:path'
import { defineConfig, type Plugin, type Rolldown } from 'vite'

/** Chromium compiles all of such a script while it arrives, beside the page's thread, and not function by function when it is run. */
const COMPILE_WHOLE = '//# allFunctionsCalledOnLoad\n'

/**
 * What a start needs is asked for at once. The page's first script does not import the screens, since it would wait for them;
 * so the page names their scripts and style sheets itself.
 */
function startAtOnce({ first, screens }: { first: string; screens: string }): Plugin {
  const scriptOf = (bundle: Rolldown.OutputBundle, module: string): Rolldown.OutputChunk => {
    for (const file of Object.values(bundle))
      if (file.type === 'chunk' && file.moduleIds.some((id) => id.endsWith(module))) return file
    throw new Error(`no script of the window holds ${module}`)
  }
  return {
    name: 'start-at-once',
    // Behind vite, which puts something of its own before the first line.
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const module of [first, screens]) {
          const script = scriptOf(bundle, module)
          script.code = COMPILE_WHOLE + script.code
        }
      },
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        if (bundle === undefined) return []
        const needed = [scriptOf(bundle, screens)]
        for (const { imports } of needed)
          for (const file of imports) {
            const script = bundle[file]
            if (script?.type === 'chunk' && !needed.includes(script)) needed.push(script)
          }
        const scripts = needed.map(({ fileName }) => ({ rel: 'modulepreload', file: fileName }))
        const styles = needed.flatMap(({ viteMetadata }) =>
          [...(viteMetadata?.importedCss ?? [])].map((file) => ({ rel: 'stylesheet', file })),
        )
        return [...scripts, ...styles]
          .filter(({ file }) => !html.includes(`./${file}`))
          .map(({ rel, file }) => ({
            tag: 'link',
            attrs: { rel, crossorigin: true, href: `./${file}` },
            injectTo: 'head' as const,
          }))
      },
    },
  }
}

/** The window: one page with hashed files, the same for Electron's own scheme and for the browser shell. */
export default defineConfig({
  root: path.join(import.meta.dirname, 'renderer'),
  // Relative addresses, since the page is served from two different places.
  base: './',
  plugins: [react(), startAtOnce({ first: 'renderer/main.ts', screens: 'renderer/app/draw.tsx' })],
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
