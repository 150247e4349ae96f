import { execa } from 'execa'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { createHostService, type HostServiceNeeds } from '../../electron/services/hosts/host-service.ts'
import type { HostService, HostSink, SecretBox } from '../../electron/services/hosts/types.ts'
import type { Snapshot } from '../../shared/node/host-client/snapshot-reader.ts'
import { homePaths } from '../../shared/node/home.ts'
import { createHostStore } from '../../shared/node/hosts/host-store.ts'
import type { HostState } from '../../shared/ipc/views.ts'
import { createTempDir } from './temp.ts'
import { createTmuxPlace } from './tmux.ts'
import { until } from './until.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** Secrets that live as long as the test. */
export function memorySecrets(): SecretBox & { names(): string[] } {
  const secrets = new Map<string, string>()
  return {
    get: (name) => secrets.get(name),
    set: (name, secret) => void secrets.set(name, secret),
    remove: (name) => void secrets.delete(name),
    names: () => [...secrets.keys()],
  }
}

/** A sink that remembers what it heard, as a cache would. */
export function memorySink() {
  const hosts = new Map<string, { hostId: string; place?: number; seqs: number[]; snapshots: Snapshot[] }>()
  let broken: Error | undefined
  const of = (host: string) => {
    const kept = hosts.get(host)
    if (kept === undefined) throw new Error(`${host} told something before it was welcomed`)
    if (broken !== undefined) throw broken
    return kept
  }
  const sink: HostSink = {
    resumePoint: (host) => hosts.get(host)?.place,
    resumeMark: () => undefined,
    onEvents(host, events) {
      const kept = of(host)
      kept.seqs.push(...events.map((event) => event.seq))
      kept.place = events.at(-1)?.seq ?? kept.place ?? 0
    },
    onSnapshotPart(host, { headSeq, tasks, tickets, first, last }) {
      const kept = of(host)
      if (first) {
        delete kept.place
        kept.snapshots.push({ headSeq, tasks: [], tickets: [] })
      }
      kept.snapshots.at(-1)?.tasks.push(...tasks)
      kept.snapshots.at(-1)?.tickets.push(...tickets)
      if (last) kept.place = headSeq
      return undefined
    },
    onWelcome(host, hostId) {
      if (hosts.get(host)?.hostId !== hostId) hosts.set(host, { hostId, seqs: [], snapshots: [] })
    },
  }
  return {
    sink,
    kept: (host: string) => hosts.get(host),
    breakWith: (error?: Error) => void (broken = error),
  }
}

/** The hosts of a desk with a home, HOME and tmux of its own. `dispose` ends the agentd that it may have started. */
export async function startHostService(more: Partial<HostServiceNeeds> = {}) {
  const folder = await createTempDir('hd-')
  const tmux = await createTmuxPlace()
  const homeRoot = path.join(folder.path, 'h')
  await mkdir(homeRoot, { mode: 0o700 })
  const environment: NodeJS.ProcessEnv = { ...tmux.environment, SHELL: '/bin/sh', HANDOFF_HOME: homeRoot }
  const home = homePaths(environment)
  const store = createHostStore(homeRoot)
  const secrets = memorySecrets()
  const kept = memorySink()
  const problems: unknown[] = []
  const states: [host: string, kind: HostState['kind']][] = []
  const needs: HostServiceNeeds = {
    home,
    environment,
    store,
    secrets,
    shell: 'browser',
    sink: kept.sink,
    clientId: 'desk-test',
    machineName: 'test-machine',
    version: '0.1.0',
    installation: { node: process.execPath, dist: path.join(root, 'dist') },
    onProblem: (error) => problems.push(error),
    backoff: { firstMs: 20, maxMs: 200 },
    ...more,
  }
  const others: HostService[] = []
  let service: HostService
  function open(): void {
    service = createHostService(needs)
    service.onChange((host) => {
      const kind = service.get(host)?.state.kind
      if (kind !== undefined && states.findLast(([name]) => name === host)?.[1] !== kind)
        states.push([host, kind])
    })
  }
  open()
  const stateOf = (host: string) => service.get(host)?.state
  return {
    get service() {
      return service
    },
    home,
    store,
    secrets,
    environment,
    kept,
    problems,
    stateOf,
    /** The kinds of states that a host was seen in, in order. */
    seen: (host: string) => states.filter(([name]) => name === host).map(([, kind]) => kind),
    forgetSeen: () => void states.splice(0),
    /** Waits until a host is in a state. */
    reaches: (host: string, kind: HostState['kind'], timeoutMs = 20_000) =>
      until(`${host} to be ${kind}`, () => (stateOf(host)?.kind === kind ? stateOf(host) : undefined), {
        timeoutMs,
      }).catch((error: unknown) => {
        throw new Error(
          `${String(error)} ${JSON.stringify(stateOf(host))} ${problems.map(String).join('; ')}`,
        )
      }),
    /** Another desk on the same home, as the app and `handoff ui` may be. It ends with this one. */
    beside(other: Partial<HostServiceNeeds>): HostService {
      const service = createHostService({ ...needs, ...other })
      others.push(service)
      return service
    },
    /** As a restart of the desk. */
    async restart(): Promise<void> {
      await service.dispose()
      open()
    },
    async dispose(): Promise<void> {
      // Each would start an agentd that was stopped again.
      for (const one of [...others, service]) await one.dispose()
      const agentd = (verb: string) =>
        execa(path.join(root, 'bin/handoff'), ['--json', 'agentd', verb], {
          env: environment,
          extendEnv: false,
          reject: false,
        })
      // One that was only being started is waited for, or it would stay behind.
      if ((await agentd('stop')).stdout.includes('false')) {
        await agentd('start')
        await agentd('stop')
      }
      await tmux.dispose()
      await folder.dispose()
    },
  }
}

/** The hosts of a desk for a test. */
export type TestHostService = Awaited<ReturnType<typeof startHostService>>
