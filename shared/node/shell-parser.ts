import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Language, Parser, type Node } from 'web-tree-sitter'
import { type ShellNode, type ShellParser } from '../domain/risk/types.ts'

const here = path.dirname(fileURLToPath(import.meta.url))
const resolver = createRequire(import.meta.url)

/** The bundle has its wasm files beside it; source run directly takes them from the packages. */
function wasmBytes(fileName: string, packageName: string): Uint8Array {
  const beside = path.join(here, fileName)
  return readFileSync(existsSync(beside) ? beside : resolver.resolve(`${packageName}/${fileName}`))
}

/** Copies what the reader needs out of the parser's memory, so that the tree can be freed at once. */
function copyNode(node: Node, source: string): ShellNode {
  const children: ShellNode[] = []
  for (const child of node.children) if (child) children.push(copyNode(child, source))
  return {
    type: node.type,
    text: source.slice(node.startIndex, node.endIndex),
    startIndex: node.startIndex,
    endIndex: node.endIndex,
    isNamed: node.isNamed,
    isMissing: node.isMissing,
    hasError: node.hasError,
    children,
  }
}

const UNREAD = { isNamed: true, isMissing: false, hasError: true, children: [] }
const MAX_DEPTH = 300

function depthOf(root: Node): number {
  const cursor = root.walk()
  let depth = 0
  let deepest = 0
  for (;;) {
    if (cursor.gotoFirstChild()) depth += 1
    else {
      while (!cursor.gotoNextSibling()) {
        if (!cursor.gotoParent()) {
          cursor.delete()
          return deepest
        }
        depth -= 1
      }
    }
    deepest = Math.max(deepest, depth)
  }
}

/**
 * Loads the bash grammar once and returns a parser that frees every tree it makes. Text that nests deeper than 300 levels
 * comes back as one node with `hasError`.
 */
export async function createShellParser(): Promise<ShellParser> {
  await Parser.init({ wasmBinary: wasmBytes('web-tree-sitter.wasm', 'web-tree-sitter') })
  const language = await Language.load(wasmBytes('tree-sitter-bash.wasm', 'tree-sitter-bash'))
  const parser = new Parser()
  parser.setLanguage(language)
  return (source) => {
    // The grammar loses a lone `-` in front of a heredoc. Another letter in its place gives the same tree with the word in it; all
    // texts are taken from the source as it was.
    const readable = source.replace(/(?<=[ \t])-(?=[ \t]+<<-?[ \t]*['"\\\w])/g, '_')
    const unread = { ...UNREAD, type: 'ERROR', text: source, startIndex: 0, endIndex: source.length }
    const tree = parser.parse(readable)
    if (!tree) return unread
    try {
      return depthOf(tree.rootNode) > MAX_DEPTH ? unread : copyNode(tree.rootNode, source)
    } finally {
      tree.delete()
    }
  }
}
