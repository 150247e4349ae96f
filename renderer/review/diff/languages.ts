import type { LanguageRegistration } from 'shiki/core'

type Load = () => Promise<{ default: LanguageRegistration[] }>

/* eslint-disable no-restricted-syntax -- a language's grammar is a large file of its own; it is loaded when a file needs it */
const LANGUAGES = {
  bash: () => import('@shikijs/langs/bash'),
  c: () => import('@shikijs/langs/c'),
  cpp: () => import('@shikijs/langs/cpp'),
  csharp: () => import('@shikijs/langs/csharp'),
  css: () => import('@shikijs/langs/css'),
  dockerfile: () => import('@shikijs/langs/dockerfile'),
  go: () => import('@shikijs/langs/go'),
  html: () => import('@shikijs/langs/html'),
  java: () => import('@shikijs/langs/java'),
  javascript: () => import('@shikijs/langs/javascript'),
  json: () => import('@shikijs/langs/json'),
  kotlin: () => import('@shikijs/langs/kotlin'),
  lua: () => import('@shikijs/langs/lua'),
  make: () => import('@shikijs/langs/make'),
  markdown: () => import('@shikijs/langs/markdown'),
  php: () => import('@shikijs/langs/php'),
  proto: () => import('@shikijs/langs/proto'),
  python: () => import('@shikijs/langs/python'),
  ruby: () => import('@shikijs/langs/ruby'),
  rust: () => import('@shikijs/langs/rust'),
  scss: () => import('@shikijs/langs/scss'),
  sql: () => import('@shikijs/langs/sql'),
  svelte: () => import('@shikijs/langs/svelte'),
  swift: () => import('@shikijs/langs/swift'),
  terraform: () => import('@shikijs/langs/terraform'),
  toml: () => import('@shikijs/langs/toml'),
  tsx: () => import('@shikijs/langs/tsx'),
  typescript: () => import('@shikijs/langs/typescript'),
  vue: () => import('@shikijs/langs/vue'),
  xml: () => import('@shikijs/langs/xml'),
  yaml: () => import('@shikijs/langs/yaml'),
} satisfies Record<string, Load>
/* eslint-enable no-restricted-syntax -- the rest of the file */

/** A language whose words can be coloured. */
export type Language = keyof typeof LANGUAGES

const BY_ENDING: Readonly<Record<string, Language>> = {
  bash: 'bash', sh: 'bash', zsh: 'bash', c: 'c', h: 'c', cc: 'cpp', cpp: 'cpp', cxx: 'cpp', hpp: 'cpp', hh: 'cpp', cs: 'csharp',
  css: 'css', go: 'go', htm: 'html', html: 'html', java: 'java', js: 'javascript', cjs: 'javascript', mjs: 'javascript', jsx: 'tsx',
  json: 'json', jsonc: 'json', jsonl: 'json', kt: 'kotlin', kts: 'kotlin', lua: 'lua', mk: 'make', md: 'markdown', mdx: 'markdown',
  php: 'php', proto: 'proto', py: 'python', pyi: 'python', rb: 'ruby', rs: 'rust', scss: 'scss', sql: 'sql', svelte: 'svelte',
  swift: 'swift', tf: 'terraform', toml: 'toml', tsx: 'tsx', ts: 'typescript', cts: 'typescript', mts: 'typescript', vue: 'vue',
  xml: 'xml', svg: 'xml', yaml: 'yaml', yml: 'yaml',
} // prettier-ignore

const BY_NAME: Readonly<Record<string, Language>> = {
  Dockerfile: 'dockerfile',
  Makefile: 'make',
  Rakefile: 'ruby',
  Gemfile: 'ruby',
}

/** The language of a file by its name; undefined when its words are left uncoloured. */
export function languageOf(path: string): Language | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (Object.hasOwn(BY_NAME, name)) return BY_NAME[name]
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return Object.hasOwn(BY_ENDING, ending) ? BY_ENDING[ending] : undefined
}

/** Loads the grammar of a language. */
export async function loadGrammar(language: Language): Promise<LanguageRegistration[]> {
  return (await LANGUAGES[language]()).default
}
