import { resolvePath, type PathScope } from './paths.ts'
import type { RiskContext, RiskFinding, RiskReason, ShellNode, ShellParser } from './types.ts'
import { riskSentence } from './reasons.ts'

/** A range of the judged text in UTF-16 units. */
export type Span = { start: number; end: number }

/** One argument as the program would get it; unknown parts and patterns are marked. */
export type Word = Span & { value: string }

/** What is known at a point of the script. Every list holds all the values that are possible there. */
export type State = {
  cwds: readonly string[]
  variables: ReadonlyMap<string, readonly string[]>
  branches: readonly (string | undefined)[]
}

/** What a program may read from its standard input. */
export type Input = {
  kind: 'none' | 'file' | 'pipe' | 'text'
  /** The possible texts, when they are known. */
  texts: readonly string[]
  /** Whether a download feeds it. */
  download: boolean
  /** Paths, when the lines are file names of a known folder. */
  listing?: readonly string[] | undefined
}

/** The source that is being walked; a nested one (`sh -c …`) reports everything at the place it came from. */
export type Frame = { fixed?: Span | undefined; depth: number; positional?: readonly string[] | undefined }

/** Everything one assessment shares. */
export type Session = {
  context: RiskContext
  scope: PathScope
  parse: ShellParser
  functions: Map<string, ShellNode>
  /** Files that the command itself fetched or wrote, with the reason not to run them. */
  tainted: Map<string, RiskReason>
  downloads: number
  /** How many commands stand around the current one. */
  nesting: number
  report: (reason: RiskReason, place: Span) => void
  /** Counts work; false when the command is too involved to be read to its end. */
  spend: () => boolean
}

/** No input: what a command reads when nothing is said. */
export const NO_INPUT: Input = { kind: 'none', texts: [], download: false }

const MAX_STEPS = 5_000

/** A table from UTF-16 offsets to byte offsets of `source`. */
export function byteOffsets(source: string): (index: number) => number {
  const offsets = new Uint32Array(source.length + 1)
  for (let i = 0, at = 0; i < source.length; i++) {
    const code = source.charCodeAt(i)
    const isHighSurrogate = code >= 0xd800 && code <= 0xdbff
    // A surrogate pair is four bytes; both halves count two.
    at += code < 0x80 ? 1 : code < 0x800 || isHighSurrogate || (code >= 0xdc00 && code <= 0xdfff) ? 2 : 3
    offsets[i + 1] = at
  }
  return (index) => offsets[Math.max(0, Math.min(index, source.length))] ?? 0
}

/** Starts an assessment of `source`. */
export function createSession(source: string, context: RiskContext, parse: ShellParser) {
  const findings: RiskFinding[] = []
  const toByte = byteOffsets(source)
  const homeless = context.home ?? '/~'
  const scope = {
    worktree: resolvePath(context.worktree, '/', { worktree: '/', home: homeless }),
    home: homeless,
  }
  let steps = 0
  const report = (reason: RiskReason, place: Span) => {
    if (findings.length >= 1000) return
    const span = { startByte: toByte(place.start), endByte: toByte(place.end) }
    findings.push({ reason, sentence: riskSentence(reason), span })
  }
  const spend = () => {
    steps += 1
    if (steps === MAX_STEPS) report('unreadable', { start: 0, end: source.length })
    return steps < MAX_STEPS
  }
  const session: Session = {
    context, scope, parse, functions: new Map(), tainted: new Map(), downloads: 0, nesting: 0, report, spend,
  } // prettier-ignore
  const state: State = {
    cwds: [resolvePath(context.cwd ?? '.', scope.worktree, scope)],
    variables: new Map(),
    branches: [context.branch],
  }
  return { session, state, findings }
}

function union<T>(a: readonly T[], b: readonly T[]): readonly T[] {
  return a === b ? a : [...new Set([...a, ...b])]
}

/** Where a script can be after either of two ways; `undefined` is a way that never returns. */
export function joinStates(a: State | undefined, b: State | undefined, unset: string): State | undefined {
  if (!a || !b || a === b) return a ?? b
  let variables = a.variables
  if (a.variables !== b.variables) {
    const merged = new Map<string, readonly string[]>()
    for (const name of new Set([...a.variables.keys(), ...b.variables.keys()])) {
      merged.set(name, union(a.variables.get(name) ?? [unset], b.variables.get(name) ?? [unset]))
    }
    variables = merged
  }
  return { cwds: union(a.cwds, b.cwds), variables, branches: union(a.branches, b.branches) }
}
