import { findOptions, type Args } from '../args.ts'
import { type Call, type ProgramSpec } from '../spec.ts'
import { checkRead, checkWrite } from '../targets.ts'

type Cursor = { text: string; at: number }

/** Moves behind the closing delimiter of a pattern; false when there is none. */
function skipPattern(cursor: Cursor, delimiter: string): boolean {
  for (; cursor.at < cursor.text.length; cursor.at++) {
    const char = cursor.text[cursor.at]
    if (char === '\\') cursor.at++
    // A delimiter inside a class (`[/]`) does not end the pattern; a class that never closes is no class.
    else if (char === '[' && /^\[\^?\]?[^\]]*\]/.test(cursor.text.slice(cursor.at, cursor.at + 256))) {
      cursor.at +=
        (/^\[\^?\]?[^\]]*\]/.exec(cursor.text.slice(cursor.at, cursor.at + 256))?.[0].length ?? 1) - 1
    } else if (char === delimiter) {
      cursor.at += 1
      return true
    }
  }
  return false
}

function take(cursor: Cursor, pattern: RegExp): string {
  const found = pattern.exec(cursor.text.slice(cursor.at))?.[0] ?? ''
  cursor.at += found.length
  return found
}

/** Moves behind `1,/x/!` and the like; false when it cannot be read. */
function skipAddresses(cursor: Cursor): boolean {
  for (;;) {
    take(cursor, /^[\s;]*(?:\d+(?:~\d+)?|\$|[,+~!])+/)
    const opened = take(cursor, /^\s*(?:\/|\\[^\n\\])/)
    if (opened === '') break
    if (!skipPattern(cursor, opened.at(-1) ?? '/')) return false
    take(cursor, /^[IM]*/)
  }
  take(cursor, /^[\s!]*/)
  return true
}

/** One command behind its address: whether it stays inside sed. */
function readCommand(cursor: Cursor): boolean {
  const command = cursor.text[cursor.at++] ?? ''
  if (command === '{' || command === '}' || command === '#' || command === ':') {
    if (command === '#' || command === ':') take(cursor, /^[^\n]*/)
    return true
  }
  if (command === 's' || command === 'y') {
    const delimiter = cursor.text[cursor.at++] ?? ''
    if (!skipPattern(cursor, delimiter)) return false
    // The replacement knows no classes.
    while (cursor.at < cursor.text.length && cursor.text[cursor.at] !== delimiter)
      cursor.at += cursor.text[cursor.at] === '\\' ? 2 : 1
    if (cursor.text[cursor.at++] !== delimiter) return false
    return !/[ew]/.test(take(cursor, /^[A-Za-z0-9]*/))
  }
  if (/[aicrR]/.test(command)) {
    take(cursor, /^(?:\\\n|[^\n])*/)
    return true
  }
  if (/[btTqQlL]/.test(command)) take(cursor, /^[^\n;}]*/)
  return /[btTqQlLdDgGhHnNpPxz=F]/.test(command)
}

/** Whether a sed script can run programs or write files of its own, or cannot be read. */
function isLoadedScript(source: string): boolean {
  // A value that is not known is taken for text or a number, as in `"$n,$m d"`; alone it would be the whole script.
  const text = source.replace(/[\uE010-\uE012]/g, '0')
  if (text !== source && !/[A-Za-z=]/.test(source)) return true
  const cursor = { text, at: 0 }
  for (let steps = 0; steps < 20_000; steps++) {
    take(cursor, /^[\s;]*/)
    if (cursor.at >= text.length) return false
    if (!skipAddresses(cursor)) return true
    if (cursor.at >= text.length) return false
    if (!readCommand(cursor)) return true
  }
  return true
}

function sed(call: Call, args: Args): void {
  const options = findOptions(args, ['-e', '--expression'])
  const scripts = options.flatMap((option) => option.value ?? [])
  const fromFile = findOptions(args, ['-f', '--file'])
  const inScript = scripts.length === 0 && fromFile.length === 0
  const files = inScript ? args.operands.slice(1) : args.operands
  const parts = inScript ? args.operands.slice(0, 1) : scripts
  // Several `-e` are lines of one script: `-e 'a\' -e text`.
  const [first] = parts
  if (first && isLoadedScript(parts.map((part) => part.value).join('\n')))
    call.session.report('inline_code', parts.find((part) => isLoadedScript(part.value)) ?? first)
  const inPlace = call.words.some((word) => /^-[nErsuz]*i|^--in-place/.test(word.value))
  for (const word of files) {
    checkRead(call.session, call.state, word)
    // BSD sed takes a suffix as a word of its own: `-i '' file`.
    if (inPlace && word.value !== '')
      checkWrite(call.session, call.state, { word, kind: { deletes: false, tree: false } })
  }
}

/** `sed`: its script is read command by command, because `e` runs programs and `w` writes files. */
export const SED: ProgramSpec = {
  mentions: true,
  withValue: '-e --expression -f --file -l',
  judge: sed,
}
