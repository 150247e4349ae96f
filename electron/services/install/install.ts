import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { OLDEST_NODE } from '../../../shared/domain/fit-node.ts'
import { AppError } from '../../../shared/errors.ts'
import type { InstallStep } from '../../../shared/ipc/host-calls.ts'
import { quoteAlways } from '../../../shared/node/hosts/attach-argv.ts'
import type { Installation } from '../platform.ts'
import { readFacts, type RemoteFacts } from './inspect.ts'
import { checked, lastLine, reach, shellOf, type InstallNeeds, type InstallOutcome } from './needs.ts'
import { gatherPayload, nodeFor, type Payload } from './payload.ts'
import type { RemoteShell } from './remote-shell.ts'
import { inspectScript, switchScript, unpackScript } from './scripts.ts'
import { putIntoService } from './service.ts'
import { found, type Found, runSteps, type StepWork, type TellProgress } from './step-runner.ts'
import { tarBytes } from './tar-writer.ts'

const LIVE_TIMEOUT_MS = 45_000
const ROUND_TRIPS = 5

/**
 * Brings Handoff to a host that is reached over ssh: looks, copies, starts, pairs, verifies. Every step may be run again
 * (`from`), does nothing that is done already, and leaves executors alone: only agentd is restarted. Throws `usage` for
 * other hosts, and `cancelled`.
 */
export async function installOnHost(
  needs: InstallNeeds & { from?: InstallStep['id'] | undefined },
): Promise<InstallOutcome> {
  const { host, store, hosts, installation, job, from } = needs
  const shell = shellOf(needs)
  let facts: RemoteFacts | undefined
  let payload: Payload | undefined
  const seen = () => must(facts)
  const parts = () =>
    (payload ??= gatherPayload({
      installation,
      platform: seen().platform,
      withNode: seen().node === undefined,
    }))

  const steps: StepWork[] = [
    { id: 'reach', run: () => reach(shell, host) },
    {
      id: 'inspect',
      async run() {
        facts = readFacts(checked(await shell.run(inspectScript), host).stdout, host)
        return tellFacts(facts, installation)
      },
    },
    {
      id: 'copy',
      async run(tell) {
        const { build } = parts()
        const isThere = seen().build === build
        if (!isThere) await copy(shell, parts(), tell)
        const nodeFolder = parts().hasNode ? 'own' : (seen().node?.folder ?? '')
        checked(await shell.run(switchScript, { args: [build, nodeFolder] }), host)
        store.change(host, { remoteCommand: remoteCommandFor(seen()) })
        return isThere
          ? found('copied_before', { build })
          : found('copied', { build, megabytes: megabytes(parts().sizeBytes) })
      },
    },
    { id: 'service', run: () => putIntoService({ shell, needs, build: parts().build }) },
    {
      id: 'pair',
      async run() {
        hosts.reload()
        hosts.wake(host)
        await hosts.whenLive(host, LIVE_TIMEOUT_MS)
        if (hosts.get(host)?.role === 'user') return found('paired_before')
        await hosts.pair(host)
        await hosts.whenLive(host, LIVE_TIMEOUT_MS)
        return found('paired')
      },
    },
    { id: 'executors', run: () => executors(needs) },
    { id: 'round_trip', run: () => roundTrip(needs) },
  ]
  return runSteps({ steps, from, always: ['reach', 'inspect'], job })
}

function tellFacts(facts: RemoteFacts, installation: Installation): Found {
  const { platform, node, olderNodes } = facts
  const machine = `${platform.system} ${platform.arch}`
  if (node !== undefined) return found('machine', { machine, node: node.version })
  if (nodeFor(installation, platform) !== undefined)
    return olderNodes.length === 0
      ? found('machine_without_node', { machine })
      : found('machine_with_old_node', { machine, node: olderNodes.join(', ') })
  throw new AppError({
    code: 'node_missing',
    message: `There is no Node.js ${OLDEST_NODE} or newer${olderNodes.length === 0 ? '' : ` (only ${olderNodes.join(', ')})`}, and this desk has none for ${machine}.`,
    hint: `Install Node.js ${OLDEST_NODE} or newer on that machine (https://nodejs.org), then try this step again.`,
  })
}

async function copy(shell: RemoteShell, payload: Payload, tell: TellProgress): Promise<void> {
  const { build, entries, sizeBytes } = payload
  let sentBytes = 0
  let toldAt = 0
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const bytes of tarBytes(entries)) {
      yield bytes
      sentBytes += bytes.byteLength
      if (performance.now() - toldAt < 100) continue
      toldAt = performance.now()
      tell({ done: Math.min(sentBytes, sizeBytes), total: sizeBytes })
    }
  }
  const packed = Readable.from(counted()).pipe(createGzip({ level: 4 }))
  const result = await shell.feed(unpackScript, packed, [build])
  if (result.exitCode !== 0)
    throw new AppError({
      code: 'remote_failed',
      message: `Copying did not end well: ${lastLine(result.stderr)}`,
      hint: 'Nothing was changed there. Try this step again.',
    })
  tell({ done: sizeBytes, total: sizeBytes })
}

/** `~` is expanded by every login shell; another home is named in full. */
function remoteCommandFor({ root, isUsualRoot }: RemoteFacts): string {
  return `${isUsualRoot ? '~/.handoff/bin/handoff' : quoteAlways(`${root}/bin/handoff`)} dial-stdio`
}

async function executors({ host, hosts }: InstallNeeds): Promise<Found> {
  const info = await hosts.call(host)('host.info', {}, { timeoutMs: 20_000 })
  const ready = info.executors.filter((one) => one.available).map((one) => one.name)
  const others = info.executors.filter((one) => !one.available).map((one) => one.name)
  const kind = ready.length === 0 ? 'executors_none' : others.length === 0 ? 'executors' : 'executors_some'
  return found(kind, { ready: ready.join(', '), missing: others.join(', ') })
}

async function roundTrip({ host, hosts }: InstallNeeds): Promise<Found> {
  const tookMs: number[] = []
  for (let round = 0; round < ROUND_TRIPS; round += 1) {
    const startedAt = performance.now()
    await hosts.call(host)('token.list', {}, { timeoutMs: 10_000 })
    tookMs.push(performance.now() - startedAt)
  }
  const middle = tookMs.sort((a, b) => a - b)[Math.floor(ROUND_TRIPS / 2)] ?? 0
  return found('round_trip', { ms: middle.toFixed(1) })
}

const megabytes = (sizeBytes: number): string => (sizeBytes / 1_000_000).toFixed(1)

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a step ran before the one it stands on')
  return value
}
