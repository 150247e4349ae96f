// The demo executor's program. It has no imports but Node's own, because many of it run at once in tests.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { processEnvironment } from '../../../shared/node/process-environment.ts'
import type { ExecutorFact } from '../adapter.ts'
import { createDeliveryLog, createJournal } from './journal.ts'
import { demoFiles, type DemoConfig } from './protocol.ts'
import { createScreen } from './screen.ts'
import { createDemoServer } from './server.ts'
import { createWorker } from './worker.ts'

const TRANSCRIPT_MAX_BYTES = 1024 * 1024

function createTranscript(path: string) {
  let sizeBytes = 0
  return (line: string) => {
    sizeBytes += Buffer.byteLength(line) + 1
    if (sizeBytes > TRANSCRIPT_MAX_BYTES) {
      writeFileSync(path, '', { mode: 0o600 })
      sizeBytes = 0
    }
    appendFileSync(path, `${line}\n`, { mode: 0o600 })
  }
}

async function main(configPath: string): Promise<void> {
  const config = JSON.parse(readFileSync(configPath, 'utf8')) as DemoConfig
  const files = demoFiles(dirname(config.folder))
  const journal = createJournal(files.journal)
  const screen = createScreen({
    out: process.stdout,
    header: `demo executor · ${config.branch} · detach: prefix d`,
    transcript: createTranscript(files.transcript),
  })
  const publish = (fact: ExecutorFact) => server.push(journal.append(fact))
  const worker = createWorker({
    config,
    scratch: files.scratch,
    fast: processEnvironment()['DEMO_PACE'] === 'fast',
    journal,
    deliveries: createDeliveryLog(files.deliveries),
    screen,
    publish,
    hangUp: () => server.hangUp(),
  })
  const stop = () => {
    screen.dispose()
    process.exit(0)
  }
  const server = await createDemoServer({
    path: files.socket,
    since: journal.since,
    deliver: worker.deliver,
    abort: worker.abort,
    stop,
  })
  screen.add({ mark: '◆ ', text: `Handoff demo executor: ${config.title}`, style: 'title' })
  screen.add({ mark: '  ', text: `${config.worktree} on ${config.branch}`, style: 'dim' })
  screen.show({ kind: 'idle', text: 'ready, waiting for the plan' })
  watchKeys(worker.abort)
  process.on('SIGTERM', stop)
}

/** Keys would only disturb the picture. Ctrl-C and Escape stop the turn, as in other agents. */
function watchKeys(abort: () => void): void {
  if (!process.stdin.isTTY) return
  process.stdin.setRawMode(true)
  process.stdin.setEncoding('utf8')
  process.stdin.on('data', (keys: string) => {
    if (keys === '\x03' || keys === '\x1b') abort()
  })
}

await main(process.argv[2] ?? '')
