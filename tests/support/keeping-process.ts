// The part of a desk that keeps what one host tells, with its cache and its outbox, in a process of its own that can be killed.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { openCache } from '../../electron/services/cache/open-cache.ts'
import { createHostTokens } from '../../electron/services/hosts/host-tokens.ts'
import type { HostRecord } from '../../electron/services/hosts/host-records.ts'
import { createSupervisor, type Supervisor } from '../../electron/services/hosts/supervisor.ts'
import { createOutbox } from '../../electron/services/outbox/outbox.ts'
import type { HostState } from '../../shared/ipc/views.ts'
import { parseHostAddress } from '../../shared/node/host-client/address.ts'

/** What such a process says when the state of its host changes. */
export interface KeepingSaid {
  state: HostState
  /** The most processor time that it took between two ticks of a timer so far. */
  longestTurnMs: number
  /** How often the cache had to begin anew. */
  rebuilds: number
}

/** Starts one on the files in `folder`; `hear` hears everything it says. */
export function startKeeping(folder: string, address: string, hear: (said: KeepingSaid) => void) {
  const child = fork(fileURLToPath(import.meta.url), [folder, address], {
    execArgv: ['--experimental-strip-types', '--no-warnings'],
  })
  process.once('exit', () => child.kill('SIGKILL'))
  child.on('message', (said: KeepingSaid) => hear(said))
  const ended = once(child, 'exit')
  return {
    /** Ends it as a crash does: nothing of it runs any more. */
    async kill(): Promise<void> {
      child.kill('SIGKILL')
      await ended
    },
  }
}

function keep(folder: string, address: string): void {
  let rebuilds = 0
  let supervisor: Supervisor | undefined = undefined as Supervisor | undefined
  let record: HostRecord = { address, pairing: 'none', tokens: {} }
  const cache = openCache({ path: `${folder}/cache.db`, onRebuilt: () => (rebuilds += 1) })
  const hosts = {
    get: () => undefined,
    call: () => {
      throw new Error('nothing is sent here')
    },
  }
  createOutbox({ path: `${folder}/desk.db`, hosts, cache })
  // As the desk does after every change.
  cache.onChange(() => void cache.openTickets())
  const longestTurnMs = watchTurns()
  supervisor = createSupervisor({
    name: 'box',
    address: parseHostAddress(address),
    localSocketPath: '/nowhere',
    ssh: undefined,
    client: { clientId: 'desk-test', name: 'desk', version: '0', machineName: 'test' },
    sink: cache,
    tokens: createHostTokens({
      secrets: { get: () => undefined, set: () => undefined, remove: () => undefined },
      store: { token: () => 'x', forgetToken: () => undefined },
    }),
    shell: 'browser',
    record: { get: () => record, change: (patch) => (record = { ...record, ...patch }) },
    local: undefined,
    onChange: () => {
      const state = supervisor?.state()
      if (state) process.send?.({ state, longestTurnMs: longestTurnMs(), rebuilds } satisfies KeepingSaid)
    },
    onNotice: () => undefined,
    onProblem: (error) => process.stderr.write(`${String(error)}\n`),
    backoff: { firstMs: 5, maxMs: 40 },
    heartbeatMs: undefined,
  })
}

function watchTurns(): () => number {
  let before = process.threadCpuUsage()
  let longestUs = 0
  // The modules of the start do not count.
  let ticks = 0
  setInterval(() => {
    const now = process.threadCpuUsage()
    if ((ticks += 1) > 1) longestUs = Math.max(longestUs, now.user + now.system - before.user - before.system)
    before = now
  }, 2)
  return () => longestUs / 1_000
}

const [, script, folder, address] = process.argv
if (process.send && folder && address && script === fileURLToPath(import.meta.url)) {
  process.on('disconnect', () => process.exit(0))
  keep(folder, address)
}
