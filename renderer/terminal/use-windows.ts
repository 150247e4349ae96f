import { useEffect } from 'react'
import type { WindowView } from '../../shared/ipc/terminal-calls.ts'
import { useCall } from '../bridge/use-call.ts'
import { useText, type Translate } from '../i18n/i18n.ts'
import { keepWindows, onEnded, terminalKey } from './open-terminals.ts'
import { usePageVisible } from './use-terminal.ts'

/** tmux tells nobody when there is another window. Asking is two short programs on the host. */
const ASK_EVERY_MS = 5_000

/** The windows of a task, followed while they are on the screen. None where the host cannot tell of them. */
export function useWindows(host: string, taskId: string) {
  const isVisible = usePageVisible()
  const { data, reload } = useCall('terminal.windows', { host, taskId })
  useEffect(() => {
    if (!isVisible) return undefined
    const timer = setInterval(reload, ASK_EVERY_MS)
    return () => clearInterval(timer)
  }, [isVisible, reload])
  useEffect(() => onEnded(reload), [reload])
  const windows = data?.windows
  useEffect(() => {
    if (windows !== undefined)
      keepWindows(
        terminalKey(host, taskId),
        windows.map(({ key }) => key),
      )
  }, [host, taskId, windows])
  return { windows: windows ?? [], canOpenShell: data?.canOpenShell === true, reload }
}

/** What a window is called. */
export function windowName({ kind, name }: Pick<WindowView, 'kind' | 'name'>, t: Translate): string {
  switch (kind) {
    case 'agent':
      return t('terminal.windows.agent')
    case 'log':
      return t('terminal.windows.log', { name })
    case 'shell':
      return t('terminal.windows.shell', { number: name })
    case 'other':
      return name
  }
}

/** What somebody who does not see it is told that a terminal shows; the agent's screen without a window. */
export function useTerminalLabel(window: Pick<WindowView, 'kind' | 'name'> | undefined): string {
  const { t } = useText()
  if (window === undefined) return t('terminal.label')
  return t(window.kind === 'shell' ? 'terminal.shell.label' : 'terminal.windows.label', {
    name: windowName(window, t),
  })
}
