import { type Args } from './args.ts'
import { type Input, type Session, type State, type Word } from './session.ts'
import { type RiskReason } from './types.ts'

/** One program about to run: its name, its arguments and what surrounds it. */
export type Call = {
  session: Session
  state: State
  name: Word
  words: readonly Word[]
  input: Input
  /** Runs the words as a command of their own (`env x`, `xargs x`, `find -exec x`). */
  run: (words: readonly Word[], change?: { state?: State; input?: Input }) => void
  /** Reads a text as a script, reporting at the word it came from. */
  script: (text: string, at: Word, change?: { state?: State; positional?: readonly string[] }) => void
}

/** Which operands of a program are paths that it writes to. */
export type Writes = 'all' | 'last' | 'rest'

/** What is known about one program, or one of its sub-commands. Names in one string are separated by spaces. */
export type ProgramSpec = {
  /** Dangerous whatever the arguments are, save `unless`. */
  always?: RiskReason
  /** Options or first operands that make the call harmless, such as `--version`. */
  unless?: string
  /** Options that take a value. */
  withValue?: string
  longDash?: boolean
  /** Options that are dangerous by themselves. */
  flags?: Partial<Record<RiskReason, string>>
  writes?: Writes
  /** Options whose value is a path that is written to. */
  writeOptions?: string
  /** Options whose value is loaded as code or as settings that name code. */
  loads?: string
  /** Files of the current folder that say what the program runs (`package.json`); not when this very command wrote them. */
  manifests?: string
  /** What `writeOptions` name is built from the project's sources and may be run. */
  builds?: boolean
  /** With one of these options no operand is written to; the option says where. */
  targetOptions?: string
  /** Only with one of these options are operands written to. */
  writesOnlyWith?: string
  deletes?: boolean
  /** The last operand is the place that the others are moved to: written, not deleted. */
  moves?: boolean
  /** Options that make a deletion go into folders. */
  treeOptions?: string
  /** Arguments are text or names, not files that are opened. */
  mentions?: boolean
  sub?: Record<string, SubSpec>
  /** For sub-commands that are not in `sub`; without it they are routine. */
  otherwise?: RiskReason
  /** The operands are a command, after `skip` of them. */
  wraps?: { skip: number; assignments?: boolean }
  /** For the few programs that a table cannot describe. */
  judge?: (call: Call, args: Args) => void
}

/** A sub-command: a reason, or `routine`, or a table of its own. */
export type SubSpec = ProgramSpec | RiskReason | 'routine'

/** Many names with one description. */
export function each<T>(names: string, spec: T): Record<string, T> {
  return Object.fromEntries(names.split(' ').map((name) => [name, spec]))
}

/** The range from the name of a call to its last word. */
export function wholeCall(call: Call): { start: number; end: number } {
  const end = Math.max(call.name.end, ...call.words.map((word) => word.end))
  return { start: Math.min(call.name.start, ...call.words.map((word) => word.start)), end }
}
