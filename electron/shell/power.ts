import { powerMonitor } from 'electron'
import os from 'node:os'

const LOOK_EVERY_MS = 15_000

/**
 * Calls `onWake` when connections may have become stale without anybody noticing: after sleep, after unlocking, and when the
 * addresses of this machine changed (Electron has no event for that, so they are compared every 15 s).
 */
export function watchPower(onWake: (why: 'resume' | 'unlock' | 'network') => void): { dispose(): void } {
  const onResume = (): void => onWake('resume')
  const onUnlock = (): void => onWake('unlock')
  powerMonitor.on('resume', onResume)
  powerMonitor.on('unlock-screen', onUnlock)
  let addresses = addressesOf(os.networkInterfaces())
  const timer = setInterval(() => {
    const now = addressesOf(os.networkInterfaces())
    if (now === addresses) return
    addresses = now
    onWake('network')
  }, LOOK_EVERY_MS)
  return {
    dispose() {
      clearInterval(timer)
      powerMonitor.off('resume', onResume)
      powerMonitor.off('unlock-screen', onUnlock)
    },
  }
}

/** The addresses over which other machines can be reached, in a form that is equal when they are. */
function addressesOf(interfaces: ReturnType<typeof os.networkInterfaces>): string {
  return Object.entries(interfaces)
    .flatMap(([name, entries]) => (entries ?? []).map((entry) => ({ name, ...entry })))
    .filter(({ internal, scopeid }) => !internal && !scopeid)
    .map(({ name, address }) => `${name} ${address}`)
    .sort()
    .join('\n')
}
