import type { ExecutorFact } from '../adapter.ts'
import type { MessageInfo, PermissionRequest, QuestionRequest, SessionStatus, ToolPart } from './wire.ts'

const MAX_TEXT = 100_000
const MAX_DIFF = 400_000

type PermissionFact = Extract<ExecutorFact, { type: 'permission' }>
type QuestionFact = Extract<ExecutorFact, { type: 'question' }>
type ProgressFact = Extract<ExecutorFact, { type: 'progress' }>
type Ask = PermissionFact['ask']

/**
 * A permission request as a fact. `too_long` when the exact text to decide on does not fit a ticket: nobody may be asked
 * to decide on a part of it.
 */
export function permissionFact(
  request: PermissionRequest,
  { cwd, subagent }: { cwd: string; subagent: string | undefined },
): PermissionFact | 'too_long' {
  const ask = permissionAsk(request)
  if (ask.text.length > MAX_TEXT) return 'too_long'
  return {
    type: 'permission',
    key: `permission:${request.id}`,
    requestId: request.id,
    ask: { ...ask, ...(subagent === undefined ? {} : { subagent }) },
    cwd,
  }
}

function permissionAsk({ permission, metadata, patterns }: PermissionRequest): Ask {
  const field = (name: string) => {
    const value = metadata[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const command = field('command')
  if (permission === 'bash' && command !== undefined) return { action: 'command', text: command }
  const path = field('filepath') ?? field('filePath')
  if (permission === 'edit') return editAsk(path ?? patterns.join('\n'), field('diff'))
  const url = field('url')
  if (permission === 'webfetch' && url !== undefined) return { action: 'fetch', text: url }
  if (permission === 'external_directory') {
    const place = patterns.join(', ')
    if (command !== undefined)
      return {
        action: 'outside',
        text: command,
        description:
          `The command touches ${place}, outside the worktree. Running it is asked separately.`.slice(
            0,
            2_000,
          ),
      }
    return {
      action: 'outside',
      text: path ?? place,
      description: `Outside the worktree: ${place}`.slice(0, 2_000),
    }
  }
  return { action: 'other', text: `${permission} ${JSON.stringify({ patterns, ...metadata })}` }
}

function editAsk(path: string, diff: string | undefined): Ask {
  if (diff === undefined) return { action: 'edit', text: path }
  if (diff.length <= MAX_DIFF) return { action: 'edit', text: path, diff }
  return {
    action: 'edit',
    text: path,
    diff: diff.slice(0, MAX_DIFF),
    description: `Only the first ${MAX_DIFF} of ${diff.length} characters of the change are shown.`,
  }
}

/** A request of the question tool as a fact. Several questions at once become one numbered text. */
export function questionFact(request: QuestionRequest, subagent: string | undefined): QuestionFact {
  const [first, ...more] = request.questions
  const only = more.length === 0 ? first : undefined
  return {
    type: 'question',
    key: `question:${request.id}`,
    requestId: request.id,
    ask: {
      text: (only ? only.question : numbered(request)).slice(0, MAX_TEXT),
      options: (only?.options ?? []).slice(0, 50).flatMap(option),
      multiple: only?.multiple === true,
      ...(subagent === undefined ? {} : { subagent }),
    },
  }
}

function option({ label, description }: { label: string; description: string }) {
  if (label === '') return []
  return [
    {
      label: label.slice(0, 500),
      ...(description === '' ? {} : { description: description.slice(0, 2_000) }),
    },
  ]
}

function numbered({ questions }: QuestionRequest): string {
  const lines = questions.map(({ question, options }, index) => {
    const choices = options.map(({ label }) => label).join(' | ')
    return `${index + 1}. ${question}${choices === '' ? '' : `\n   (${choices})`}`
  })
  return `${lines.join('\n')}\n\nAnswer with one line for each question.`
}

/** What opencode's question tool takes: one list of labels, or of free text, for each question. */
export function questionAnswers(
  request: QuestionRequest,
  answer: { kind: 'text'; text: string } | { kind: 'options'; labels: string[] },
): string[][] {
  const { questions } = request
  if (answer.kind === 'options') {
    const full = questions[0]?.options.map(({ label }) => label) ?? []
    const labels = answer.labels.map((label) => full.find((known) => known.slice(0, 500) === label) ?? label)
    return questions.map(() => labels)
  }
  const lines = answer.text.split('\n').filter((line) => line.trim() !== '')
  if (questions.length === 1 || lines.length !== questions.length) return questions.map(() => [answer.text])
  return lines.map((line) => [line.replace(/^\s*\d+[.:)]\s*/, '').trim()])
}

/** A line about a tool that started, ended or failed; nothing for what is still being written. */
export function toolProgress(part: ToolPart, subagent: string | undefined): ProgressFact | undefined {
  const { status, input, title, error, metadata } = part.state
  if (status !== 'running' && status !== 'completed' && status !== 'error') return undefined
  const what = oneLine(toolSubject(part.tool, input) ?? title ?? '', 300)
  const who = subagent === undefined ? '' : `${subagent}: `
  const fact = { type: 'progress', key: `tool:${part.id}:${status}`, kind: 'tool' } as const
  const text = `${who}${part.tool} ${what}`
  if (status === 'running') return { ...fact, text }
  if (status === 'error') return { ...fact, text: `${text} — ${oneLine(error ?? 'failed', 200)}`, failed: {} }
  // A command that ended with an error has completed as far as the tool is concerned.
  const exitCode = metadata?.exit ?? 0
  return exitCode === 0 ? { ...fact, text: `${text} — done` } : { ...fact, text, failed: { exitCode } }
}

function toolSubject(tool: string, input: Record<string, unknown>): string | undefined {
  const names = ['command', 'filePath', 'url', 'pattern', 'description', 'path', 'query', 'name']
  const found = names.map((name) => input[name]).find((value) => typeof value === 'string' && value !== '')
  if (typeof found === 'string') return found
  return tool === 'todowrite' ? 'the list of things to do' : undefined
}

/** A line about the model's failure that opencode is waiting to retry. */
export function retryProgress(status: Extract<SessionStatus, { type: 'retry' }>): ProgressFact {
  return {
    type: 'progress',
    key: `retry:${status.attempt}:${status.next}`,
    kind: 'status',
    text: `The model did not answer (attempt ${status.attempt}): ${oneLine(status.message, 500)}. opencode tries again.`,
  }
}

/** What a finished message has cost. */
export function usageProgress({ id, tokens, cost }: MessageInfo): ProgressFact | undefined {
  if (!tokens || tokens.input + tokens.output === 0) return undefined
  const money = cost ? `, $${cost.toFixed(4)}` : ''
  const cached = tokens.cache?.read ? ` (+${tokens.cache.read} cached)` : ''
  return {
    type: 'progress',
    key: `usage:${id}`,
    kind: 'usage',
    text: `${tokens.input}${cached} tokens in, ${tokens.output} out${money}`,
  }
}

/** Text as one line of at most `max` characters. */
export function oneLine(text: string, max: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > max ? `${line.slice(0, max - 1)}…` : line
}
