import { AppError } from '../../../shared/errors.ts'
import type { ExecutorAdapter } from '../adapter.ts'
import type { Tmux } from '../tmux.ts'
import { openDemoSession } from './session.ts'

/** The demo executor as an ordinary adapter. `tmux` is the person's own tmux. */
export function createDemoAdapter({ tmux }: { tmux: Tmux }): ExecutorAdapter {
  return {
    name: 'demo',
    capabilities: { denyWithMessage: true, promptWhileBusy: true },
    async check() {
      try {
        const version = await tmux.version()
        return { available: true, version: '1', notes: [`scripted, without a model; tmux ${version}`] }
      } catch (error) {
        if (!(error instanceof AppError)) return { available: false, problem: String(error), notes: [] }
        const notes = error.hint === undefined ? [] : [error.hint]
        return { available: false, problem: error.message, notes }
      }
    },
    open: (context) => openDemoSession({ tmux, context }),
  }
}
