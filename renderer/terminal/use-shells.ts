import { useEffect, useState } from 'react'
import type { WindowView } from '../../shared/ipc/terminal-calls.ts'
import { call } from '../bridge/bridge.ts'
import { useAction } from '../ui/use-action.ts'
import { focusAfterMove } from './move-focus.ts'
import { chooseWindow, terminalKey } from './open-terminals.ts'

/** A shell that is not closed before the person has said so, since a program runs in it. */
export interface BusyShell {
  window: WindowView
  program: string
}

/** Opening and closing shells in a task's worktree. `onChange` is called when there are others than those of `windows`. */
export function useShells({
  host,
  taskId,
  windows,
  onChange,
}: {
  host: string
  taskId: string
  windows: readonly WindowView[]
  onChange: () => void
}) {
  /** The key of a shell that was opened and is to be shown when the host tells of it. */
  const [wanted, setWanted] = useState<string>()
  const made = windows.find(({ key }) => key === wanted)
  useEffect(() => {
    if (made === undefined) return
    setWanted(undefined)
    focusAfterMove('screen')
    chooseWindow(terminalKey(host, taskId), made)
  }, [host, taskId, made])
  const [busy, setBusy] = useState<BusyShell>()
  const opening = useAction(async () => {
    const { window } = await call('terminal.openShell', { host, taskId })
    setWanted(window)
    onChange()
  })
  const closing = useAction(async (window: WindowView, force: boolean) => {
    setBusy(undefined)
    const answer = await call('terminal.closeShell', { host, taskId, window: window.key, force })
    if (answer.kind === 'busy') setBusy({ window, program: answer.program })
    else onChange()
  })
  return {
    open: opening.run,
    isOpening: opening.isBusy,
    close: closing.run,
    busy,
    keep: () => setBusy(undefined),
    error: opening.error ?? closing.error,
  }
}
