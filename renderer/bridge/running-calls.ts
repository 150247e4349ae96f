import { useSyncExternalStore } from 'react'
import type { IpcCallName } from '../../shared/ipc.ts'
import { createListeners } from '../../shared/listeners.ts'

/** A call that waits for a host and can be cancelled. */
export interface RunningCall {
  jobId: string
  host: string
  /** What it changes may have been changed although it was cancelled. */
  isChange: boolean
}

/** Calls that wait for a host, and whether they change something there. */
const WAITS_FOR_HOST: Partial<Record<IpcCallName, { isChange: boolean }>> = {
  'rule.list': { isChange: false },
  'rule.revoke': { isChange: true },
  'audit.list': { isChange: false },
  'host.info': { isChange: false },
  'host.executors': { isChange: false },
  'ticket.rulePreview': { isChange: false },
  'terminal.openShell': { isChange: true },
  'terminal.closeShell': { isChange: true },
  'task.done': { isChange: true },
  'task.cancel': { isChange: true },
  'task.repair': { isChange: true },
}
/** What takes less time is not worth a word. */
const SHOWN_AFTER_MS = 1_000

const running = new Set<RunningCall>()
const late = new Set<RunningCall>()
let shown: readonly RunningCall[] = []
const changes = createListeners()

/** Whoever does not wait for a host does not wait for what was just asked of it either, so that is shown with what is late. */
function show(): void {
  const hosts = new Set([...late].map(({ host }) => host))
  shown = [...running].filter(({ host }) => hosts.has(host))
  changes.tell()
}

/** Gives a call that waits for a host a name under which it can be cancelled, and shows it when it takes long. `ended` ends that. */
export function nameCall(name: IpcCallName, input: unknown): { input: unknown; ended(): void } {
  const kind = WAITS_FOR_HOST[name]
  if (kind === undefined || typeof input !== 'object' || input === null || !('host' in input))
    return { input, ended: () => undefined }
  const jobId = crypto.randomUUID().replaceAll('-', '')
  const one: RunningCall = { jobId, host: String(input.host), ...kind }
  running.add(one)
  const timer = setTimeout(() => {
    late.add(one)
    show()
  }, SHOWN_AFTER_MS)
  if (late.size > 0) show()
  return {
    input: { ...input, jobId },
    ended() {
      clearTimeout(timer)
      running.delete(one)
      late.delete(one)
      if (shown.includes(one)) show()
    },
  }
}

/** The calls that wait for a host which has let one of them wait for more than a second. */
export function useRunningCalls(): readonly RunningCall[] {
  return useSyncExternalStore(changes.add, () => shown)
}
