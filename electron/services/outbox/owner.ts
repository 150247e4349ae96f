import { randomUUID } from 'node:crypto'
import { uptime } from 'node:os'
import type { Claimant } from './entries.ts'

/** This desk, as other desks of the same home know it. */
export function thisDesk(isAlive: Claimant['isAlive'] = isRunning): Claimant {
  return {
    owner: `${process.pid}-${randomUUID()}`,
    isAlive,
    uptimeMs: () => Math.round(uptime() * 1_000),
  }
}

/** Whether the process still runs that the name of a desk begins with. */
function isRunning(owner: string): boolean {
  const pid = Number.parseInt(owner, 10)
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it runs and belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
