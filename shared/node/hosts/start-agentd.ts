import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError } from '../../errors.ts'
import { errorCodeSchema } from '../../wire-error.ts'

const READY_TIMEOUT_MS = 20_000
const POLL_MS = 50

/** How agentd came up. `already`: another starter was quicker. */
export type StartOutcome = { kind: 'ready' } | { kind: 'already' }

/**
 * Starts agentd on a home folder in the background and resolves when `isUp` says that it serves. It outlives this
 * process; its output goes to `<home>/logs/agentd.log`. Throws agentd_not_running with the log's last words.
 */
export async function startAgentd({
  home,
  script,
  node = process.execPath,
  env,
  isUp,
  timeoutMs = READY_TIMEOUT_MS,
  signal,
}: {
  home: string
  /** dist/agentd.js. */
  script: string
  /** The Node that runs it; the one of this process unless told. */
  node?: string
  env: NodeJS.ProcessEnv
  isUp: () => Promise<boolean>
  timeoutMs?: number
  /** Ends the waiting with `cancelled`; what was started goes on. */
  signal?: AbortSignal
}): Promise<StartOutcome> {
  const logPath = join(home, 'logs', 'agentd.log')
  const { log, logStart } = openLog(logPath)
  const child = spawn(node, ['--no-warnings=ExperimentalWarning', script, 'run', '--home', home], {
    detached: true,
    stdio: ['ignore', log, log],
    cwd: '/',
    env,
  })
  closeSync(log)
  let ended: { code: number | null } | undefined
  child.on('exit', (code) => (ended = { code }))
  child.on('error', () => (ended = { code: null }))
  child.unref()
  const deadline = performance.now() + timeoutMs
  while (performance.now() < deadline) {
    if (signal?.aborted === true)
      throw new AppError({ code: 'cancelled', message: 'Nobody waits for agentd any more.' })
    if (await isUp()) return ended === undefined ? { kind: 'ready' } : { kind: 'already' }
    if (ended !== undefined) {
      if (newText(logPath, logStart).includes('agentd_running') && (await upSoon(isUp)))
        return { kind: 'already' }
      throw notStarted(logPath, logStart, `it ended with code ${(ended as { code: number | null }).code}`)
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  throw notStarted(logPath, logStart, `it did not answer within ${timeoutMs / 1_000} seconds`)
}

/** The log, open for its end, and where that is. Throws agentd_not_running: without it nobody would hear why agentd ended. */
function openLog(logPath: string): { log: number; logStart: number } {
  const folder = dirname(logPath)
  try {
    mkdirSync(dirname(folder), { recursive: true, mode: 0o700 })
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const log = openSync(logPath, 'a', 0o600)
    return { log, logStart: statSync(logPath).size }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    throw new AppError(
      {
        code: 'agentd_not_running',
        message: `agentd on this machine cannot be started, because its log cannot be written: ${error.message}`,
        hint: `Make sure that ${folder} is a folder that you may write to, and that the disk is not full.`,
        details: { logPath },
      },
      { cause: error },
    )
  }
}

/** Of two starters at once one ends at once with agentd_running; the winner may still need a moment. */
async function upSoon(isUp: () => Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + 5_000
  while (performance.now() < deadline) {
    if (await isUp()) return true
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  return false
}

function notStarted(logPath: string, logStart: number, what: string): AppError {
  const said = lastWords(newText(logPath, logStart))
  return new AppError({
    code: 'agentd_not_running',
    message: `agentd on this machine did not start: ${said?.message ?? what}`,
    hint: said?.hint ?? `Its log is ${logPath}; \`handoff agentd run\` starts it in the foreground.`,
    details: { logPath, ...(said?.reason === undefined ? {} : { reason: said.reason }) },
  })
}

function newText(logPath: string, logStart: number): string {
  return readFileSync(logPath).subarray(logStart).toString('utf8')
}

/** The sentence of the last error in agentd's output: a JSON log line, or plain text. `reason` is its code, when it has one. */
export function lastWords(text: string): { message: string; hint?: string; reason?: string } | undefined {
  for (const line of text.trimEnd().split('\n').reverse()) {
    if (line.trim() === '') continue
    const fields = parseObject(line)
    if (fields === undefined) return plainWords(line)
    if (typeof fields['level'] === 'number' && fields['level'] < 40) continue
    const error = fields['error'] ?? fields['err']
    const source = typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : fields
    const message = source['message'] ?? fields['msg']
    if (typeof message !== 'string') continue
    return { message, ...(typeof source['hint'] === 'string' ? { hint: source['hint'] } : {}) }
  }
  return undefined
}

/** What agentd writes before it ends: `agentd: sentence [code]`. */
function plainWords(line: string): { message: string; reason?: string } {
  const message = line.replace(/^(handoff|agentd): /, '').slice(0, 500)
  const reason = errorCodeSchema.safeParse(/ \[([a-z_.]+)\]$/.exec(line)?.[1])
  return { message, ...(reason.success ? { reason: reason.data } : {}) }
}

function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
