import path from 'node:path'
import { AppError, toWireError } from '../../shared/errors.ts'
import { homePaths } from '../../shared/node/home.ts'
import { processEnvironment } from '../../shared/node/process-environment.ts'
import { VERSION } from '../../shared/version.ts'
import { readArguments } from './arguments.ts'
import { startBrowserHost } from './browser-host.ts'
import { createDeskLog, logStrayFailures } from '../services/desk/log.ts'
import { createDesk } from '../services/desk/desk.ts'

async function run(): Promise<void> {
  const args = readArguments(process.argv.slice(2))
  const processEnv = processEnvironment()
  const environment = args.home === undefined ? processEnv : { ...processEnv, HANDOFF_HOME: args.home }
  const dist = import.meta.dirname
  const home = homePaths(environment)
  const log = createDeskLog(home.logs)
  logStrayFailures(log, () => process.exit(1))
  const started = await startBrowserHost({
    home,
    log,
    environment,
    installation: {
      node: process.execPath,
      dist,
      command: path.join(path.dirname(dist), 'bin', 'handoff'),
      version: VERSION,
    },
    port: args.port,
    createDesk,
    now: Date.now,
  })
  process.stdout.write(`${JSON.stringify(started.address)}\n`)
  if (started.kind === 'running') return
  let ending: Promise<void> | undefined
  const end = () => (ending ??= started.dispose().then(() => process.exit(0)))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end())
}

run().catch((error: unknown) => {
  // The command line that started this tells the person.
  process.stdout.write(`${JSON.stringify({ error: toWireError(error) })}\n`)
  if (!(error instanceof AppError))
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  process.exit(1)
})
