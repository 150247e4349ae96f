import path from 'node:path'
import { AppError } from '../../shared/errors.ts'
import { homePaths } from '../../shared/node/home.ts'
import { processEnvironment } from '../../shared/node/process-environment.ts'
import { VERSION } from '../../shared/version.ts'
import { readArguments } from './arguments.ts'
import { startBrowserHost } from './browser-host.ts'
import { createDesk } from './placeholder-desk.ts'

async function run(): Promise<void> {
  const args = readArguments(process.argv.slice(2))
  const processEnv = processEnvironment()
  const environment = args.home === undefined ? processEnv : { ...processEnv, HANDOFF_HOME: args.home }
  const dist = import.meta.dirname
  const started = await startBrowserHost({
    home: homePaths(environment),
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
  // The command line that started this shows the error to the person.
  const known = error instanceof AppError
  const text = known
    ? `${error.message}${error.hint === undefined ? '' : ` ${error.hint}`} [${error.code}]`
    : String(error)
  process.stderr.write(`desk: ${text}\n`)
  process.exit(known && error.code === 'usage' ? 2 : 1)
})
