import { MARK } from './marks.ts'
import { type Word } from './session.ts'

/** One option as it was given; `-rf` gives two. */
export type Option = { name: string; value?: Word | undefined; word: Word }

/** An argument list, taken apart. `operands` are the words that are no options; `afterDashes` of them follow a `--`. */
export type Args = { options: Option[]; operands: Word[]; unclear: Word[] }

/** How a program reads its options. */
export type ArgStyle = {
  /** Options that take the next word (or the rest of this one) as their value. */
  withValue: ReadonlySet<string>
  /** Single-dash words are whole names, as in `terraform -chdir=x`. */
  longDash: boolean
  /** Everything after the first operand is an operand: wrappers and programs with sub-commands. */
  stopEarly: boolean
}

function splitCluster(word: Word, style: ArgStyle, next: () => Word | undefined): Option[] {
  const found: Option[] = []
  for (let i = 1; i < word.value.length; i++) {
    const name = `-${word.value[i] ?? ''}`
    if (!style.withValue.has(name)) {
      found.push({ name, word })
      continue
    }
    const rest = word.value.slice(i + 1)
    found.push({ name, word, value: rest === '' ? next() : { ...word, value: rest.replace(/^=/, '') } })
    break
  }
  return found
}

function longOption(word: Word, style: ArgStyle, next: () => Word | undefined): Option {
  const equals = word.value.indexOf('=')
  if (equals >= 0)
    return {
      name: word.value.slice(0, equals),
      word,
      value: { ...word, value: word.value.slice(equals + 1) },
    }
  return { name: word.value, word, value: style.withValue.has(word.value) ? next() : undefined }
}

/** Takes an argument list apart the way getopt does. `unclear` words could turn out to be options when they run. */
export function parseArgs(words: readonly Word[], style: ArgStyle): Args {
  const args: Args = { options: [], operands: [], unclear: [] }
  for (let at = 0; at < words.length; at++) {
    const word = words[at]
    if (!word) break
    const next = () => words[++at]
    if (word.value === '--') {
      args.operands.push(...words.slice(at + 1))
      break
    }
    if (word.value.startsWith('--') || (style.longDash && /^-./.test(word.value))) {
      args.options.push(longOption(word, style, next))
    } else if (/^-./.test(word.value)) args.options.push(...splitCluster(word, style, next))
    else {
      if (/^[\uE010\uE011]/.test(word.value)) args.unclear.push(word)
      args.operands.push(word)
      if (style.stopEarly) {
        args.operands.push(...words.slice(at + 1))
        break
      }
    }
    if (word.value.startsWith('-') && word.value.includes(MARK.unknownWords)) args.unclear.push(word)
  }
  return args
}

/** Whether the option `given` is `wanted`, also when a long name is cut short as GNU programs and git allow. */
export function isOption(given: string, wanted: string): boolean {
  return given === wanted || (given.length >= 4 && given.startsWith('--') && wanted.startsWith(given))
}

/** The options among `args` that are one of `names`. */
export function findOptions(args: Args, names: readonly string[]): Option[] {
  return args.options.filter((option) => names.some((name) => isOption(option.name, name)))
}
