import type { WindowView } from '../../shared/ipc/terminal-calls.ts'
import { useShortcut } from '../ui/shortcuts.ts'
import { focusAfterMove } from './move-focus.ts'
import { chooseWindow, isTask, useOpenTerminals } from './open-terminals.ts'
import { goToTerminal } from './TerminalTabs.tsx'

/** Keys that move through all open terminals: the windows of the task on the screen, and the other tasks. */
export function useSteps(task: string, windows: readonly WindowView[]): void {
  const { list, chosen } = useOpenTerminals()
  const stops = list
    .filter(isTask)
    .flatMap((one) =>
      one.key === task
        ? [undefined, ...windows.slice(1)].map((window) => ({ one, window }))
        : [{ one, window: undefined }],
    )
  const step = (by: number) => {
    const at = stops.findIndex(({ one, window }) => one.key === task && window?.key === chosen[task]?.key)
    const next = stops[(at + by + stops.length) % stops.length]
    if (next === undefined) return
    if (next.one.key !== task) return goToTerminal(next.one, 'screen')
    focusAfterMove('screen')
    chooseWindow(task, next.window)
  }
  const hasOthers = stops.length > 1
  useShortcut('mod+shift+pagedown', hasOthers ? () => step(1) : undefined)
  useShortcut('mod+shift+pageup', hasOthers ? () => step(-1) : undefined)
}
