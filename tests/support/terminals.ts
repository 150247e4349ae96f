import { createHash } from 'node:crypto'
import path from 'node:path'
import { afterEach } from 'vitest'
import type { TerminalState } from '../../shared/ipc/terminal-calls.ts'
import { forkPtyHostWithNode } from '../../electron/services/terminals/fork-node.ts'
import { createPtyHost } from '../../electron/services/terminals/pty-host.ts'
import type { TerminalHosts } from '../../electron/services/terminals/screen-place.ts'
import { createTerminalService } from '../../electron/services/terminals/terminal-service.ts'
import type { ForkPtyHost } from '../../electron/services/terminals/types.ts'
import { until } from './until.ts'

const script = path.resolve(import.meta.dirname, '../../electron/pty-host/main.ts')
const size = { cols: 90, rows: 30 }
const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** The service over a host of the test's making, and a way to end the process of its ptys. Ended after the test. */
export function startTerminals(
  more: Partial<TerminalHosts> & Pick<TerminalHosts, 'call' | 'attachArgv'>,
  environment: NodeJS.ProcessEnv,
) {
  const processes: ReturnType<ForkPtyHost>[] = []
  const changed = new Set<(host: string) => void>()
  const fork = forkPtyHostWithNode(script)
  const ptyHost = createPtyHost({
    fork: () => {
      const process = fork()
      processes.push(process)
      return process
    },
  })
  const hosts: TerminalHosts = {
    get: (name) => ({ name, isLocal: true, address: 'local', state: { kind: 'live', since: 1 } }),
    onChange(listener) {
      changed.add(listener)
      return () => changed.delete(listener)
    },
    ...more,
  }
  const service = createTerminalService({ hosts, ptyHost, environment, now: Date.now })
  cleanups.push(() => service.dispose())
  return {
    service,
    killPtyHost: () => processes.at(-1)?.kill(),
    hostChanged: () => changed.forEach((tell) => tell('box')),
  }
}

type Service = ReturnType<typeof startTerminals>['service']

/** A window that draws everything at once, or nothing at all, and shows a task or one `window` of it. */
export async function openWindow(
  service: Service,
  taskId: string,
  { acks = true, window }: { acks?: boolean; window?: string } = {},
) {
  let id = ''
  const seen = {
    text: '',
    chars: 0,
    hash: createHash('sha256'),
    seqs: [] as number[],
    resets: 0,
    states: [] as TerminalState[],
    controlled: false,
  }
  service.onData(({ terminalId, seq, reset, chunk, chars }) => {
    if (terminalId !== id) return
    if (reset) seen.text = ''
    seen.resets += reset ? 1 : 0
    seen.seqs = reset ? [seq] : [...seen.seqs.slice(-1_000), seq]
    seen.text = (seen.text + Buffer.from(chunk).toString()).slice(-100_000)
    seen.hash.update(chunk)
    seen.chars += chars
    if (acks) service.ack(id, chars)
  })
  service.onState((terminalId, state, controlled) => {
    if (terminalId !== id) return
    seen.states.push(state)
    seen.controlled = controlled
  })
  id = await service.open({ host: 'box', taskId, window, windowId: 'w1', ...size })
  return {
    id,
    seen,
    is: (kind: TerminalState['kind']) =>
      until(`the terminal to be ${kind}`, () => seen.states.at(-1)?.kind === kind, { timeoutMs: 20_000 }),
    shows: (text: string) =>
      until(`the screen to show ${text}`, () => seen.text.includes(text), { timeoutMs: 20_000 }),
  }
}
