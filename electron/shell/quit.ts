import { app } from 'electron'
import type { ShellLog } from './log.ts'

/** How long closing connections and databases may take; after that the process ends anyway, and nothing durable is lost. */
const DEADLINE_MS = 5_000

/**
 * Quits in order: `dispose` runs once before the app ends, with a deadline. agentd and what it works on go on without us.
 * Closing all windows does not quit.
 */
export function endOrderly(dispose: () => Promise<void>, log: ShellLog): void {
  let state: 'running' | 'ending' | 'ended' = 'running'
  app.on('window-all-closed', () => undefined)
  app.on('before-quit', (event) => {
    if (state === 'ended') return
    event.preventDefault()
    if (state === 'ending') return
    state = 'ending'
    void within(dispose(), log).then(() => {
      state = 'ended'
      app.quit()
    })
  })
  // A logout or a terminal that is closed.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => app.quit())
}

async function within(work: Promise<void>, log: ShellLog): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), DEADLINE_MS)
  })
  const outcome = await Promise.race([
    work.then(
      () => 'done' as const,
      (error: unknown) => {
        log.error({ why: String(error) }, 'closing failed')
        return 'failed' as const
      },
    ),
    deadline,
  ])
  clearTimeout(timer)
  if (outcome === 'late') log.error({ DEADLINE_MS }, 'closing took too long')
}
