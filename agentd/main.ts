import path from 'node:path'
import { AppError } from '../shared/errors.ts'
import { homePaths, openHome } from '../shared/node/home.ts'
import { processEnvironment } from '../shared/node/process-environment.ts'
import { readArguments } from './arguments.ts'
import { assemble, logPath } from './assemble.ts'
import { readConfig } from './config.ts'
import { createHostEnvironment } from './host-environment.ts'
import { lockHome } from './lock.ts'
import { createLogger } from './log.ts'
import { parseListenAddress } from './server/listen-address.ts'
import { openStore } from './store/open-store.ts'

async function run(): Promise<void> {
  const args = readArguments(process.argv.slice(2))
  const processEnv = processEnvironment()
  const home = homePaths(args.home === undefined ? processEnv : { ...processEnv, HANDOFF_HOME: args.home })
  await openHome(home)
  const lock = lockHome(path.join(home.root, 'agentd.lock'))
  const log = createLogger({ path: logPath(home) })
  const config = readConfig(path.join(home.root, 'config.json'))
  const environment = await createHostEnvironment({
    processEnv,
    home: home.root,
    requiredFiles: config.environmentFiles,
  })
  const store = openStore({ path: home.database })
  let stopping: Promise<void> | undefined
  const parts = await assemble({
    home,
    store,
    config,
    environment,
    log,
    stop: () => void stop('asked by a client'),
  })

  function stop(why: string): Promise<void> {
    stopping ??= (async () => {
      log.info({ why }, 'agentd stops; executors go on')
      parts.retention.dispose()
      await parts.server.stop()
      await parts.engine.dispose()
      store.close()
      lock.release()
    })()
    return stopping
  }
  // Each piece of work answers for itself; a forgotten failure of one must not end it for all tasks.
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'a failure that nobody waited for'))
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => void stop(signal).then(() => process.exit(0)))

  await parts.server.listenUnix(home.socket)
  const listen = args.listen ?? config.listen
  if (listen !== undefined)
    await parts.server.listenTcp({
      address: parseListenAddress(listen),
      yesPublic: args.yesPublic,
      hostNames: config.hostNames,
    })
  log.info({ pid: process.pid, home: home.root }, 'agentd serves')
  process.stdout.write(`agentd ready ${home.socket}\n`)
  await parts.engine.recover()
  log.info({}, 'all open tasks were looked for')
}

run().catch((error: unknown) => {
  const known = error instanceof AppError
  const text = known
    ? `${error.message}${error.hint === undefined ? '' : ` ${error.hint}`} [${error.code}]`
    : String(error)
  process.stderr.write(`agentd: ${text}\n`)
  process.exit(known && error.code === 'usage' ? 2 : 1)
})
