import { readFileSync } from 'node:fs'
import { TASK_MARK } from '../../shared/domain/task.ts'

/** Environment variables that coding agents set for the programs they start; `*` stands for any ending. */
const MARKS = [
  'CLAUDECODE',
  'CLAUDE_CODE_*',
  'OPENCODE*',
  'CODEX_*',
  'CURSOR_AGENT*',
  'CURSOR_TRACE_ID',
  'GEMINI_CLI*',
  'QWEN_CODE*',
  'KIMI_*',
  'AI_AGENT',
  TASK_MARK,
] as const

// Settings that people put into their own shell; they configure an agent and do not mean one is running.
const SETTINGS =
  /_(API_KEY|HOME|CONFIG|CONFIG_DIR|MODEL|USE_BEDROCK|USE_VERTEX|MAX_OUTPUT_TOKENS|BASE_URL)$|^OPENCODE_CONFIG/

/** The name of the first mark of an agent in an environment, or undefined when a person may be at work. */
export function agentMark(env: Readonly<Record<string, string | undefined>>): string | undefined {
  for (const name of Object.keys(env).sort()) {
    if (env[name] === undefined || env[name] === '' || SETTINGS.test(name)) continue
    if (MARKS.some((mark) => (mark.endsWith('*') ? name.startsWith(mark.slice(0, -1)) : name === mark)))
      return name
  }
  return undefined
}

const MAX_ANCESTORS = 64

/**
 * The first ancestor process that belongs to a Handoff task (HANDOFF_TASK): an executor can clean the environment of
 * what it starts, but not its own. Reads Linux `/proc`; elsewhere, and for processes of other users, it knows nothing.
 */
export function taskAncestor(pid: number, procPath = '/proc'): { pid: number; taskId: string } | undefined {
  let current = pid
  for (let step = 0; step < MAX_ANCESTORS && current > 1; step += 1) {
    const taskId = processEnvironment(`${procPath}/${current}/environ`)[TASK_MARK]
    if (taskId !== undefined && taskId !== '') return { pid: current, taskId }
    const parent = parentOf(`${procPath}/${current}/stat`)
    if (parent === undefined) return undefined
    current = parent
  }
  return undefined
}

function processEnvironment(path: string): Record<string, string> {
  const env: Record<string, string> = {}
  for (const entry of (readProc(path) ?? '').split('\0')) {
    const equals = entry.indexOf('=')
    if (equals > 0) env[entry.slice(0, equals)] = entry.slice(equals + 1)
  }
  return env
}

function parentOf(path: string): number | undefined {
  // `pid (name) state ppid …`; the name may hold spaces and brackets, so it is cut at the last one.
  const text = readProc(path)
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ')
  const parent = Number(fields?.[1])
  return Number.isInteger(parent) && parent > 0 ? parent : undefined
}

function readProc(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    // No /proc here, or the process has ended or belongs to someone else.
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}
