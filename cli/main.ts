import { hostname, userInfo } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { homePaths } from '../shared/node/home.ts'
import { processEnvironment } from '../shared/node/process-environment.ts'
import type { Context } from './context.ts'
import { clientId } from '../shared/node/hosts/client-id.ts'
import { createConnector } from './hosts/connect.ts'
import { createDispatchedStore } from '../shared/node/hosts/dispatched.ts'
import { createFleet } from './hosts/fleet.ts'
import { createKnownTasks } from './hosts/known-tasks.ts'
import { createHostStore } from '../shared/node/hosts/host-store.ts'
import { createOutput, type Output } from './output/output.ts'
import type { Seat } from './person/person.ts'
import { runProgram, type GlobalOptions } from './program.ts'
import { VERSION } from '../shared/version.ts'

/** The bundled agentd lies beside the bundled command line. */
const agentdScript = join(dirname(fileURLToPath(import.meta.url)), 'agentd.js')

function createContext(
  options: GlobalOptions,
  signal: AbortSignal,
  givenClientId: string | undefined,
): Context {
  const env = processEnvironment()
  const chosen = options.home === undefined ? env : { ...env, HANDOFF_HOME: resolve(options.home) }
  const { root: home, socket: socketPath } = homePaths(chosen)
  const out = outputOf(options, env)
  const hosts = createHostStore(home)
  const known = createKnownTasks(home)
  const id = givenClientId ?? clientId(home, env)
  const connector = createConnector({
    home,
    socketPath,
    store: hosts,
    clientId: id,
    name: `${userInfo().username}@${hostname()}`.slice(0, 200),
    version: VERSION,
    agentdScript,
    env: chosen,
    onStarted: () => out.note(out.errorStyle.dim('agentd was started on this machine.')),
  })
  const seat = seatOf(env)
  return {
    home,
    socketPath,
    agentdScript,
    host: options.host,
    env,
    cwd: process.cwd(),
    out,
    input: process.stdin,
    interactive: seat.stdinIsTerminal && process.stderr.isTTY === true && !out.json,
    seat,
    signal,
    clientId: id,
    hosts,
    known,
    dispatched: createDispatchedStore(home),
    connector,
    fleet: createFleet({
      store: hosts,
      known,
      only: options.host,
      connect: (host, stop) => connector.open(host, { signal: stop }),
    }),
    now: Date.now,
  }
}

function outputOf(options: GlobalOptions, env: NodeJS.ProcessEnv): Output {
  const { stdout, stderr } = process
  return createOutput({ stdout, stderr, json: options.json === true, noColor: options.color === false, env })
}

function seatOf(env: NodeJS.ProcessEnv): Seat {
  const [stdinIsTerminal, stdoutIsTerminal] = [process.stdin.isTTY === true, process.stdout.isTTY === true]
  return { env, stdinIsTerminal, stdoutIsTerminal, pid: process.pid }
}

// Help is printed before there is an Output; a reader that goes away early (`| head`) is no reason for a stack trace.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

process.exitCode = await runProgram(process.argv.slice(2), createContext)
