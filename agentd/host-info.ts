import { execa } from 'execa'
import { AppError } from '../shared/errors.ts'
import type { CallOutput } from '../shared/protocol.ts'
import type { ExecutorAdapter } from './executors/adapter.ts'
import type { HostEnvironment } from './host-environment.ts'
import type { Store } from './store/store.ts'

type HostInfo = CallOutput<'host.info'>

interface Needs {
  identity: Pick<HostInfo, 'hostId' | 'name' | 'version' | 'startedAt' | 'home' | 'watchdogMs'>
  store: Store
  environment: HostEnvironment
  adapters: ReadonlyMap<string, ExecutorAdapter>
  listening(): string[]
  now: () => number
}

/** Asking every executor for its version starts programs; what was found stays good for a while. */
const REMEMBER_MS = 30_000

/** What this host is and what it has, for `doctor` and other clients. */
export function createHostInfo(needs: Needs): () => Promise<HostInfo> {
  const { identity, store, environment, adapters, now } = needs
  let executors: { at: number; found: HostInfo['executors'] } | undefined

  async function checkExecutors(): Promise<HostInfo['executors']> {
    if (executors && now() - executors.at < REMEMBER_MS) return executors.found
    const found = await Promise.all(
      [...adapters.values()].map(async (adapter) => ({
        name: adapter.name,
        ...(await checkOne(adapter, environment)),
      })),
    )
    executors = { at: now(), found }
    return found
  }

  return async () => ({
    ...identity,
    pid: process.pid,
    node: process.version,
    path: environment.path,
    proxies: environment.proxyNames,
    ...(environment.problem === undefined ? {} : { environmentProblem: environment.problem }),
    environmentFiles: await environment.files(),
    ...(await versions(environment)),
    listening: needs.listening(),
    executors: await checkExecutors(),
    openTasks: store.tasks.countOpen(),
    databaseBytes: store.sizeBytes(),
  })
}

async function checkOne(
  adapter: ExecutorAdapter,
  environment: HostEnvironment,
): Promise<Omit<HostInfo['executors'][number], 'name'>> {
  try {
    return await adapter.check(await environment.forExecutor(adapter.name))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { available: false, problem: error.message, notes: [] }
  }
}

async function versions(environment: HostEnvironment): Promise<{ tmux?: string; git?: string }> {
  const ask = async (program: string, flag: string): Promise<string | undefined> => {
    const result = await execa(program, [flag], {
      reject: false,
      timeout: 5_000,
      stdin: 'ignore',
      env: { PATH: environment.path },
      extendEnv: false,
    })
    return result.exitCode === 0 ? result.stdout.trim().slice(0, 200) : undefined
  }
  const [tmux, git] = await Promise.all([ask('tmux', '-V'), ask('git', '--version')])
  return { ...(tmux === undefined ? {} : { tmux }), ...(git === undefined ? {} : { git }) }
}
