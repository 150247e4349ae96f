import type { Plugin, Rolldown } from 'vite'

/** Chromium compiles all of such a script while it arrives, beside the page's thread, and not function by function when it is run. */
const COMPILE_WHOLE = '//# allFunctionsCalledOnLoad\n'

/** Where the scripts of the start leave what they export, by the name of their part. */
const PARTS = 'globalThis.handoffParts'

type Statement = ReturnType<Rolldown.PluginContext['parse']>['body'][number]
/** Two names of one thing: `[name outside, name inside]`. */
type Pair = readonly [string, string]

/**
 * Serves the page's first script and what it imports as classic scripts, one for each of these parts with all that it needs
 * and that is in none before; the last one has the rest. They run in this order, each as soon as it is there. Chromium keeps what it has compiled of a script for the next start; of a
 * module it keeps it too, but compiles it anew when the module comes in a stream (seen in Chromium 156).
 *
 * What is loaded later stays modules. To them a part of the start is a module that hands on what the script has left, once and for
 * all: nothing that the start exports may change afterwards.
 */
export function startScripts(names: readonly string[]): Plugin {
  return {
    name: 'start-scripts',
    // Behind vite, which writes the page.
    enforce: 'post',
    // The names of files are made before this has its turn; a browser keeps a file by its name for a year.
    augmentChunkHash: () => 'classic 1',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const page = bundle['index.html']
        if (page?.type !== 'asset') throw new Error('the page was not built')
        const chunks = startOrder(bundle)
        const partOf = new Map(chunks.map(({ fileName, name }) => [fileName, name]))
        const scripts = chunks.map((chunk) => {
          const parts = split(chunk, { statements: this.parse(chunk.code).body, partOf })
          chunk.code = parts.module
          return parts.script
        })
        const emit = (name: string, codes: readonly string[]) => {
          const source = [COMPILE_WHOLE, ...codes].join('')
          return this.getFileName(this.emitFile({ type: 'asset', name: `start-${name}.js`, source }))
        }
        let begin = 0
        const files = names.map((name, index) => {
          const end =
            index === names.length - 1 ? chunks.length : chunks.findIndex((chunk) => chunk.name === name) + 1
          const file = emit(name, scripts.slice(begin, end))
          begin = end
          return file
        })
        page.source = withScripts(page.source.toString(), files)
      },
    },
  }
}

/** The entry and what it imports, each behind all that it needs. */
function startOrder(bundle: Rolldown.OutputBundle): Rolldown.OutputChunk[] {
  const found = new Set<Rolldown.OutputChunk>()
  const add = (file: Rolldown.OutputAsset | Rolldown.OutputChunk | undefined) => {
    if (file?.type !== 'chunk' || found.has(file)) return
    for (const imported of file.imports) add(bundle[imported])
    found.add(file)
  }
  for (const file of Object.values(bundle)) if (file.type === 'chunk' && file.isEntry) add(file)
  return [...found]
}

/**
 * The page with these scripts in place of the modules that vite has named. The first one waits neither for the style sheet nor for
 * the rest of the page.
 */
function withScripts(page: string, files: readonly string[]): string {
  const others = page.replace(
    /\s*<(?:script type="module"|link rel="modulepreload")[^>]*>(?:<\/script>)?/g,
    '',
  )
  const tags = files.map((file, index) => `<script ${index === 0 ? '' : 'defer '}src="./${file}"></script>`)
  return others.replace('</title>', ['</title>', ...tags].join('\n    '))
}

/** One part of the start twice: the script that is run, and the module that hands on what it exports. */
function split(
  { fileName, name, code }: Rolldown.OutputChunk,
  { statements, partOf }: { statements: readonly Statement[]; partOf: ReadonlyMap<string, string> },
): { script: string; module: string } {
  const exported: Pair[] = []
  let body = ''
  let end = 0
  for (const statement of statements) {
    const by = instead(statement, { partOf, exported })
    if (by === undefined) continue
    if (by === 'unknown') throw new Error(`${fileName} has a ${statement.type} that no script can stand for`)
    body += code.slice(end, statement.start) + by
    end = statement.end
  }
  // Only a module knows its own address; what is loaded later lies beside it.
  body = (body + code.slice(end)).replaceAll('import.meta', '__here')
  const place = `${PARTS}[${JSON.stringify(name)}]`
  const inside = `"use strict";const __here={url:document.currentScript.src};${body}\n${place}={${pairs(exported)}}`
  const handed = exported.map(([outside]) => [outside, `_${outside}`] as const)
  return {
    script: `${PARTS}??={};(()=>{${inside}})();\n`,
    module: `const{${pairs(handed)}}=${place};export{${handed.map(([outside, own]) => `${own} as ${outside}`).join()}};\n`,
  }
}

/** What stands in a script where a module imports or exports; undefined for everything else. */
function instead(
  statement: Statement,
  { partOf, exported }: { partOf: ReadonlyMap<string, string>; exported: Pair[] },
): string | undefined {
  if (statement.type === 'ImportDeclaration') {
    const from = partOf.get(`assets/${statement.source.value.replace('./', '')}`)
    const imported: Pair[] = []
    for (const one of statement.specifiers)
      if (one.type === 'ImportSpecifier' && one.imported.type === 'Identifier')
        imported.push([one.imported.name, one.local.name])
      else return 'unknown'
    if (from === undefined) return 'unknown'
    return imported.length === 0 ? '' : `const{${pairs(imported)}}=${PARTS}[${JSON.stringify(from)}];`
  }
  if (statement.type === 'ExportNamedDeclaration' && statement.declaration === null) {
    for (const { exported: outside, local } of statement.specifiers)
      if (outside.type === 'Identifier' && local.type === 'Identifier')
        exported.push([outside.name, local.name])
      else return 'unknown'
    return ''
  }
  return statement.type.startsWith('Export') ? 'unknown' : undefined
}

function pairs(of: readonly Pair[]): string {
  return of.map((pair) => pair.join(':')).join()
}
