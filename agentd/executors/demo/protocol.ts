import { createHash } from 'node:crypto'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { Delivery, DeliveryOutcome, ExecutorFact } from '../adapter.ts'

/** A fact with its number in the journal (from 1, without gaps). */
export interface NumberedFact {
  n: number
  fact: ExecutorFact
}

/** What the adapter asks the program. `id` comes back in the reply. */
export type DemoRequest =
  | { type: 'facts'; since: number }
  | { type: 'deliver'; id: number; delivery: Delivery }
  | { type: 'abort'; id: number }
  | { type: 'stop'; id: number }

/** What the program tells the adapter, one JSON text a line. */
export type DemoMessage =
  ({ type: 'fact' } & NumberedFact) | { type: 'reply'; id: number; outcome: DeliveryOutcome }

/** What the program is started with. */
export interface DemoConfig {
  taskId: string
  title: string
  worktree: string
  branch: string
  plan: string
  /** Absolute path of the program's own folder. */
  folder: string
}

/** Files in the demo's folder of a task. */
export function demoFiles(taskDir: string) {
  const folder = join(taskDir, 'demo')
  return {
    folder,
    config: join(folder, 'config.json'),
    journal: join(folder, 'journal.jsonl'),
    /** Every accepted delivery, written before it has an effect. */
    deliveries: join(folder, 'deliveries.jsonl'),
    transcript: join(folder, 'transcript.log'),
    scratch: join(folder, 'scratch'),
    paneSpec: join(folder, 'pane.json'),
    socket: socketPath(folder),
  }
}

/** The kernel allows 104 (macOS) or 108 (Linux) bytes. */
const SOCKET_PATH_MAX_BYTES = 100

function socketPath(folder: string): string {
  const near = join(folder, 'demo.sock')
  if (Buffer.byteLength(near) <= SOCKET_PATH_MAX_BYTES) return near
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16)
  // Not the temp folder of TMPDIR: agentd and the program may have been given different ones.
  return join('/tmp', `handoff-demo-${userInfo().uid}`, `${name}.sock`)
}

/** Cuts a stream into lines; a line above the bound ends the conversation by throwing. */
export function createLineReader(onLine: (line: string) => void, maxChars = 8 * 1024 * 1024) {
  let rest = ''
  return (chunk: string) => {
    rest += chunk
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > maxChars) throw new Error('A line of the demo protocol is too long.')
    for (const line of lines) if (line !== '') onLine(line)
  }
}
