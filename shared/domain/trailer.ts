import { z } from 'zod'
import { branchSchema, type Task } from './task.ts'
import type { QuestionAsk } from './ticket.ts'
import { lastObjects } from './trailer/last-objects.ts'

/** What the end of a turn says: a question, a finished round, or nothing usable. */
export type Trailer =
  | {
      kind: 'ask'
      text: string
      options: QuestionAsk['options']
      topic: QuestionAsk['topic']
      multiple: boolean
    }
  /** `branch` and `commit` are claims to be checked against git; `commit` may be shortened. */
  | { kind: 'done'; branch?: string; commit?: string; summary: string }
  | { kind: 'none' }

// Longest possible trailer: a question of 100 000 characters with 50 described options.
const MAX_TAIL = 256 * 1024
const MAX_OPTIONS = 50

const words = z.union([z.string(), z.array(z.string()).transform((lines) => lines.join('\n'))])
const text = (max: number) =>
  words
    .transform((value) => value.trim().slice(0, max))
    .pipe(z.string().min(1))
    .optional()
    .catch(undefined)

const optionSchema = z
  .union([
    z
      .union([z.string(), z.number()])
      .transform((label) => ({ label: String(label), description: undefined })),
    z.object({ label: z.string(), description: z.string().optional().catch(undefined) }),
  ])
  .transform(({ label, description }) => ({
    label: label.trim().slice(0, 500),
    ...(description?.trim() ? { description: description.trim().slice(0, 2_000) } : {}),
  }))

const trailerSchema = z.object({
  ask: text(100_000),
  options: z.array(z.unknown()).catch([]),
  kind: z.string().catch(''),
  multiple: z.boolean().catch(false),
  branch: branchSchema.optional().catch(undefined),
  commit: z
    .string()
    .transform((sha) => sha.trim().toLowerCase())
    .pipe(z.string().regex(/^[0-9a-f]{4,64}$/))
    .optional()
    .catch(undefined),
  summary: text(20_000),
})

/**
 * Reads the trailer of a turn's last message. Forgives code fences, a spread-out object, typographic quotes, a stray
 * comma, missing or surplus fields and a few words behind it; the last trailer counts. Never throws; linear time.
 */
export function readTrailer(message: string): Trailer {
  const tail = message.slice(-MAX_TAIL)
  const found = firstTrailer(tail)
  if (found) return found
  const plain = tail.replace(/[\u201c\u201d\u201e\u201f\u2033]/g, '"')
  return (plain === tail ? undefined : firstTrailer(plain)) ?? { kind: 'none' }
}

function firstTrailer(tail: string): Trailer | undefined {
  for (const object of lastObjects(tail)) {
    const trailer = trailerOf(object)
    if (trailer) return trailer
  }
  return undefined
}

function trailerOf(object: Record<string, unknown>): Trailer | undefined {
  const fields = trailerSchema.safeParse(object).data
  if (!fields) return undefined
  const { ask, branch, commit, summary } = fields
  if (ask !== undefined) {
    const topic = fields.kind.trim().toLowerCase() === 'product' ? 'product' : 'technical'
    return { kind: 'ask', text: ask, options: optionsOf(fields.options), topic, multiple: fields.multiple }
  }
  if (branch === undefined && commit === undefined && summary === undefined) return undefined
  return {
    kind: 'done',
    ...(branch === undefined ? {} : { branch }),
    ...(commit === undefined ? {} : { commit }),
    summary: summary ?? '',
  }
}

function optionsOf(raw: readonly unknown[]): QuestionAsk['options'] {
  const byLabel = new Map<string, QuestionAsk['options'][number]>()
  for (const entry of raw) {
    const option = optionSchema.safeParse(entry).data
    if (option && option.label !== '' && !byLabel.has(option.label)) byLabel.set(option.label, option)
    if (byLabel.size === MAX_OPTIONS) break
  }
  return [...byLabel.values()]
}

/** What every prompt ends with: how the agent is to work here and how it says that its turn is over. */
export function trailerInstructions(task: Pick<Task, 'branch'>): string {
  return `# How to work here

- Work only inside the current directory. Stay on the branch \`${task.branch}\`; do not push, and do not change other branches.
- Commit everything that belongs to the result before you end your turn; leave the working tree clean.
- Nobody watches your screen. If you cannot go on without a decision, end your turn with a question instead of guessing.
- The last line of your turn must be exactly one JSON object on a single line, with nothing after it.

When the work is finished:
{"branch": "${task.branch}", "commit": "<full id of your last commit>", "summary": "<what you did and how you checked it>"}

When you need a decision ("options", "multiple" and "kind" may be left out; "kind" is "product" when the choice is about what the product should do, otherwise "technical"):
{"ask": "<your question>", "options": ["<one choice>", "<another>"], "multiple": false, "kind": "technical"}`
}
