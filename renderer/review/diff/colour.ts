import { createHighlighterCore, type HighlighterCore } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import type { ColourRequest, ColourAnswer } from './colour-messages.ts'
import { languageOf, loadGrammar, type Language } from './languages.ts'

/** A line that is longer was written by a program; none of its file is coloured. */
const MAX_LINE = 2_000
const CLASSES: Readonly<Record<string, number>> = {
  '#000001': 1, '#000002': 2, '#000003': 3, '#000004': 4, '#000005': 5, '#000006': 6,
} // prettier-ignore

// The theme names kinds of words by numbers; style sheets give the numbers their colours, in light and dark.
const scopes = (foreground: string, ...scope: string[]) => ({ scope, settings: { foreground } })
const theme = {
  name: 'kinds',
  type: 'light' as const,
  colors: { 'editor.foreground': '#000000', 'editor.background': '#ffffff' },
  tokenColors: [
    scopes('#000001', 'keyword', 'storage', 'constant.language', 'variable.language'),
    scopes('#000002', 'string', 'markup.inline.raw', 'constant.character'),
    scopes('#000003', 'comment', 'punctuation.definition.comment'),
    scopes('#000004', 'entity.name.function', 'support.function', 'entity.name.tag', 'markup.heading'),
    scopes('#000005', 'constant.numeric', 'entity.other.attribute-name', 'support.constant'),
    scopes('#000006', 'entity.name.type', 'entity.name.class', 'support.type', 'support.class'),
  ],
}

let highlighter: Promise<HighlighterCore> | undefined
const loaded = new Map<Language, Promise<void>>()

async function ready(language: Language): Promise<HighlighterCore> {
  highlighter ??= createHighlighterCore({
    themes: [theme],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  })
  const shiki = await highlighter
  let loading = loaded.get(language)
  if (loading === undefined) {
    loading = loadGrammar(language).then((grammar) => shiki.loadLanguage(...grammar))
    loaded.set(language, loading)
  }
  await loading
  return shiki
}

/** The kinds of words of some lines; none where the language is not known, or a line is too long. */
export async function colour({ id, path, lines }: ColourRequest): Promise<ColourAnswer> {
  const language = languageOf(path)
  if (language === undefined || lines.some((line) => line.length > MAX_LINE)) return nothing(id)
  const shiki = await ready(language)
  const found = shiki.codeToTokensBase(lines.join('\n'), {
    lang: language,
    theme: 'kinds',
    tokenizeMaxLineLength: MAX_LINE,
    // Half a second, if nothing is said: a busy machine needs longer for the first text of a language, and what is cut off inside
    // a comment would colour the rest as one.
    tokenizeTimeLimit: 0,
  })
  const pairs: number[] = []
  const ends: number[] = []
  for (const line of found) {
    for (const { content, color } of line)
      pairs.push(content.length, CLASSES[color?.toLowerCase() ?? ''] ?? 0)
    ends.push(pairs.length)
  }
  return { id, pairs: Uint32Array.from(pairs), ends: Uint32Array.from(ends) }
}

/** An answer without colours. */
export function nothing(id: number): ColourAnswer {
  return { id, pairs: new Uint32Array(), ends: new Uint32Array() }
}
