import { hostname, userInfo } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { homePaths } from '../shared/node/home.ts'
import { processEnvironment } from '../shared/node/process-environment.ts'
import type { Context } from './context.ts'
import { clientId } from './hosts/client-id.ts'
import { createConnector } from './hosts/connect.ts'
import { createDispatchedStore } from './hosts/dispatched.ts'
import { createFleet } from './hosts/fleet.ts'
import { createKnownTasks } from './hosts/known-tasks.ts'
import { createHostStore } from './hosts/store.ts'
import { createOutput } from './output/output.ts'
import type { Seat } from './person/person.ts'
import { runProgram, type GlobalOptions } from './program.ts'
import { VERSION } from '../shared/version.ts'

/** The bundled agentd lies beside the bundled command line. */
const agentdScript = join(dirname(fileURLToPath(import.meta.url)), 'agentd.js')

function createContext(options: GlobalOptions, signal: AbortSignal): Context {
  const env = processEnvironment()
  const chosen = options.home === undefined ? env : { ...env, HANDOFF_HOME: resolve(options.home) }
  const paths = homePaths(chosen)
  const home = paths.root
  const json = options.json === true
  const out = createOutput({
    stdout: process.stdout,
    stderr: process.stderr,
    json,
    noColor: options.color === false,
    env,
  })
  const hosts = createHostStore(home)
  const known = createKnownTasks(home)
  const id = clientId(home, env)
  const name = `${userInfo().username}@${hostname()}`.slice(0, 200)
  const connector = createConnector({
    home,
    socketPath: paths.socket,
    store: hosts,
    clientId: id,
    name,
    version: VERSION,
    agentdScript,
    env: chosen,
    onStarted: () => out.note(out.errorStyle.dim('agentd was started on this machine.')),
  })
  const seat = seatOf(env)
  return {
    home,
    socketPath: paths.socket,
    agentdScript,
    host: options.host,
    env,
    cwd: process.cwd(),
    out,
    input: process.stdin,
    interactive: seat.stdinIsTerminal && process.stderr.isTTY === true && !json,
    seat,
    signal,
    clientId: id,
    hosts,
    known,
    dispatched: createDispatchedStore(home),
    connector,
    fleet: createFleet({ store: hosts, known, only: options.host, connect: (host) => connector.open(host) }),
    now: Date.now,
  }
}

function seatOf(env: NodeJS.ProcessEnv): Seat {
  const [stdinIsTerminal, stdoutIsTerminal] = [process.stdin.isTTY === true, process.stdout.isTTY === true]
  return { env, stdinIsTerminal, stdoutIsTerminal, pid: process.pid }
}

process.exitCode = await runProgram(process.argv.slice(2), createContext)
