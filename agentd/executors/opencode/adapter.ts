import { execa } from 'execa'
import { delimiter, join } from 'node:path'
import { access, constants } from 'node:fs/promises'
import type { ExecutorAdapter, ExecutorCheck } from '../adapter.ts'
import type { Tmux } from '../tmux.ts'
import { defaultStreamTimes } from './event-stream.ts'
import { oneLine } from './translate.ts'
import { createOpencodeSession } from './session.ts'
import type { WatcherSettings } from './watcher.ts'

/** The oldest opencode whose HTTP API is known to be as the adapter expects. */
const OLDEST_VERSION = '1.18.0'
// A busy machine needs long for a program of 150 MB.
const CHECK_TIMEOUT_MS = 60_000

const defaultSettings: WatcherSettings = {
  now: Date.now,
  stream: defaultStreamTimes,
  offlineGraceMs: 3_000,
  retryLimit: { attempts: 8, totalMs: 10 * 60_000 },
  settleMs: 4_000,
  neglectMs: 120_000,
  agentScreen: true,
}

/** opencode as an executor: one `opencode serve` per task in tmux, driven by its HTTP API. */
export function createOpencodeAdapter({
  tmux,
  settings = {},
}: {
  tmux: Tmux
  settings?: Partial<WatcherSettings>
}): ExecutorAdapter {
  return {
    name: 'opencode',
    capabilities: { denyWithMessage: true, promptWhileBusy: true },
    check: checkOpencode,
    open: (context) =>
      createOpencodeSession({ context, tmux, settings: { ...defaultSettings, ...settings } }),
  }
}

async function checkOpencode(environment: Readonly<Record<string, string>>): Promise<ExecutorCheck> {
  const path = await findInPath('opencode', environment['PATH'] ?? '')
  if (path === undefined)
    return {
      available: false,
      reason: 'not_found',
      problem: 'opencode was not found in PATH. Install it with `npm install -g opencode-ai`.',
      notes: [],
    }
  const result = await execa(path, ['--version'], {
    env: environment,
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    timeout: CHECK_TIMEOUT_MS,
  })
  const version = /\d+\.\d+\.\d+/.exec(result.stdout ?? '')?.[0]
  if (result.exitCode !== 0 || version === undefined)
    return {
      available: false,
      path,
      reason: result.timedOut ? 'no_answer' : 'broken',
      problem: result.timedOut
        ? `${path} --version did not answer in a minute.`
        : `${path} --version failed: ${oneLine(result.stderr ?? '', 300)}`,
      notes: [],
    }
  if (older(version, OLDEST_VERSION))
    return {
      available: false,
      path,
      version,
      reason: 'too_old',
      problem: `opencode ${version} is too old; ${OLDEST_VERSION} or newer is needed (\`opencode upgrade\`).`,
      notes: [],
    }
  return { available: true, path, version, notes: notesOn(environment) }
}

function notesOn(environment: Readonly<Record<string, string>>): string[] {
  const notes = ['Everything that acts asks, whatever the opencode configuration of this machine allows.']
  if (environment['OPENCODE_PERMISSION'] !== undefined)
    notes.push('OPENCODE_PERMISSION is set; what it allows is asked all the same.')
  return notes
}

async function findInPath(name: string, path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter)) {
    if (folder === '') continue
    const file = join(folder, name)
    try {
      await access(file, constants.X_OK)
      return file
    } catch {
      continue
    }
  }
  return undefined
}

function older(version: string, than: string): boolean {
  const [left, right] = [version, than].map((text) => text.split('.').map(Number))
  for (const [index, part] of (right ?? []).entries()) {
    const own = left?.[index] ?? 0
    if (own !== part) return own < part
  }
  return false
}
