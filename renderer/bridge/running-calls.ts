import { useSyncExternalStore } from 'react'
import type { IpcCallName } from '../../shared/ipc.ts'

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
  'task.done': { isChange: true },
  'task.cancel': { isChange: true },
  'task.repair': { isChange: true },
}
/** What takes less time is not worth a word. */
const SHOWN_AFTER_MS = 1_000

let shown: readonly RunningCall[] = []
const watchers = new Set<() => void>()

function become(next: readonly RunningCall[]): void {
  shown = next
  for (const watcher of watchers) watcher()
}

/** Gives a call that waits for a host a name under which it can be cancelled, and shows it when it takes long. `ended` ends that. */
export function nameCall(name: IpcCallName, input: unknown): { input: unknown; ended(): void } {
  const kind = WAITS_FOR_HOST[name]
  if (kind === undefined || typeof input !== 'object' || input === null || !('host' in input))
    return { input, ended: () => undefined }
  const jobId = crypto.randomUUID().replaceAll('-', '')
  const running: RunningCall = { jobId, host: String(input.host), ...kind }
  const timer = setTimeout(() => become([...shown, running]), SHOWN_AFTER_MS)
  return {
    input: { ...input, jobId },
    ended() {
      clearTimeout(timer)
      if (shown.includes(running)) become(shown.filter((one) => one !== running))
    },
  }
}

/** Calls that have waited for their host for more than a second. */
export function useRunningCalls(): readonly RunningCall[] {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => shown,
  )
}
