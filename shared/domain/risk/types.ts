import { z } from 'zod'
import { riskReasons } from './reasons.ts'

/** The part of a syntax tree's node that the reader needs; web-tree-sitter's `Node` has this shape. Offsets are UTF-16 units. */
export type ShellNode = {
  readonly type: string
  readonly text: string
  readonly startIndex: number
  readonly endIndex: number
  readonly isNamed: boolean
  readonly isMissing: boolean
  readonly hasError: boolean
  readonly children: readonly ShellNode[]
}

/** Parses bash source into its whole tree. It must not throw on any text. */
export type ShellParser = (source: string) => ShellNode

/** Where the command would run. Paths are absolute; `branch` is the task's own branch, when it is known. */
export type RiskContext = {
  worktree: string
  cwd?: string | undefined
  home?: string | undefined
  branch?: string | undefined
  protectedBranches?: readonly string[] | undefined
}

/** Why something is dangerous: a closed list, the most severe first. It travels on the wire; a user interface maps it to a sentence. */
export const RiskReason = z.enum(riskReasons)
/** One code of the closed list. */
export type RiskReason = z.infer<typeof RiskReason>

/** A half-open range of bytes in the UTF-8 form of the judged text. */
export const ByteSpan = z.object({ startByte: z.number().int().min(0), endByte: z.number().int().min(0) })
/** A half-open range of bytes in the UTF-8 form of the judged text. */
export type ByteSpan = z.infer<typeof ByteSpan>

/** One thing that makes a command dangerous, with the exact part of the text that does. */
export const RiskFinding = z.object({ reason: RiskReason, sentence: z.string().max(200), span: ByteSpan })
/** One thing that makes a command dangerous. */
export type RiskFinding = z.infer<typeof RiskFinding>

/** The answer of the reader. `reason`, `sentence` and `span` repeat the most severe of `all`, which has at most 100 entries. */
export const RiskVerdict = z.discriminatedUnion('level', [
  z.object({ level: z.literal('routine') }),
  RiskFinding.extend({ level: z.literal('dangerous'), all: z.array(RiskFinding).min(1).max(100) }),
])
/** The answer of the reader. */
export type RiskVerdict = z.infer<typeof RiskVerdict>

const SEVERITY = new Map(RiskReason.options.map((reason, index) => [reason, index]))

/** Orders findings: the most severe reason first, then by place; doubles are dropped. */
export function verdictOf(findings: readonly RiskFinding[]): RiskVerdict {
  const seen = new Map<string, RiskFinding>()
  for (const finding of findings) {
    seen.set(`${finding.reason} ${finding.span.startByte} ${finding.span.endByte}`, finding)
  }
  const rank = (finding: RiskFinding) => SEVERITY.get(finding.reason) ?? 0
  const all = [...seen.values()]
    .sort(
      (a, b) => rank(a) - rank(b) || a.span.startByte - b.span.startByte || a.span.endByte - b.span.endByte,
    )
    .slice(0, 100)
  const first = all[0]
  return first ? { level: 'dangerous', ...first, all } : { level: 'routine' }
}
