/**
 * Private characters that stand for what is not plain text in a resolved word. Source that contains one of them is refused
 * before it is read, so a mark in a word always comes from the reader.
 */
export const MARK = {
  /** Text that is not known before the command runs. */
  unknown: '\uE010',
  /** The same, unquoted: it may become several words, or none. */
  unknownWords: '\uE011',
  /** A name below the folder in front of it, as a listing command prints it. */
  listed: '\uE012',
  /** A space from an unquoted variable: the word splits here. */
  split: '\uE013',
  star: '\uE000',
  question: '\uE001',
  bracket: '\uE002',
  braceOpen: '\uE003',
  braceClose: '\uE004',
  comma: '\uE005',
  tilde: '\uE006',
} as const

/** Any character of the range the marks live in. */
export const MARK_RANGE = /[\uE000-\uE0FF]/

const PLAIN: Record<string, string> = {
  [MARK.star]: '*',
  [MARK.question]: '?',
  [MARK.bracket]: '[',
  [MARK.braceOpen]: '{',
  [MARK.braceClose]: '}',
  [MARK.comma]: ',',
  [MARK.tilde]: '~',
  [MARK.split]: ' ',
}

/** Whether the word depends on something that is only known when it runs. */
export function hasUnknown(value: string): boolean {
  return value.includes(MARK.unknown) || value.includes(MARK.unknownWords)
}

/** Whether the shell would expand the word to file names. */
export function hasGlob(value: string): boolean {
  return value.includes(MARK.star) || value.includes(MARK.question) || value.includes(MARK.bracket)
}

/** Whether the word is plain text: what is written is what the program gets. */
export function isPlain(value: string): boolean {
  return !MARK_RANGE.test(value)
}

/** The word with its pattern characters as they were typed; unknown parts stay marked. */
export function unmark(value: string): string {
  return value.replace(/[\uE000-\uE00F\uE013]/g, (mark) => PLAIN[mark] ?? mark)
}

/** Turns the pattern characters of unquoted text into marks. */
export function markGlobs(text: string): string {
  return text.replaceAll('*', MARK.star).replaceAll('?', MARK.question).replaceAll('[', MARK.bracket)
}

type Step = { kind: 'text' | 'one' | 'many'; text: string }

function stepsOf(component: string): Step[] {
  const steps: Step[] = []
  for (let i = 0; i < component.length; i++) {
    const char = component[i] ?? ''
    if (char === MARK.star || char === MARK.listed || char === MARK.unknown || char === MARK.unknownWords) {
      if (steps.at(-1)?.kind !== 'many') steps.push({ kind: 'many', text: char })
    } else if (char === MARK.question) steps.push({ kind: 'one', text: char })
    else if (char === MARK.bracket && component.indexOf(']', i + 2) > 0) {
      // A character class is read as "any character": too wide, never too narrow.
      i = component.indexOf(']', i + 2)
      steps.push({ kind: 'one', text: char })
    } else steps.push({ kind: 'text', text: char.toLowerCase() })
  }
  return steps
}

/** A matcher for one path component that may hold pattern marks. As in the shell, `*` and `?` do not stand for a leading dot. */
export function componentMatcher(component: string): (name: string) => boolean {
  if (isPlain(component)) return (name) => name.toLowerCase() === component.toLowerCase()
  const steps = stepsOf(component)
  const skipsDot = /^[\uE000\uE001\uE012]/.test(component)
  return (name) => {
    if (skipsDot && name.startsWith('.')) return false
    let reached = new Set([0])
    for (const { kind, text } of steps) {
      const next = new Set<number>()
      if (kind === 'many') for (let i = Math.min(...reached); i <= name.length; i++) next.add(i)
      else
        for (const i of reached)
          if (i < name.length && (kind === 'one' || name[i]?.toLowerCase() === text)) next.add(i + 1)
      if (next.size === 0) return false
      reached = next
    }
    return reached.has(name.length)
  }
}
