import { useRef } from 'react'
import type { WindowView } from '../../shared/ipc/terminal-calls.ts'
import { visibleLine } from '../../shared/domain/visible.ts'
import { useText } from '../i18n/i18n.ts'
import { focusAfterMove, useFocusAfterMove } from './move-focus.ts'
import { chooseWindow, terminalKey, useOpenTerminals, type ApartWindow } from './open-terminals.ts'
import { TerminalTab } from './TerminalTab.tsx'
import { windowName } from './use-windows.ts'
import styles from './terminal.module.css'

/** The id of what the tabs of a task's windows show. */
export const WINDOW_PANEL = 'terminal-window'

/** The windows of a task: the agent, what belongs to it, and shells, which can be closed. */
export function WindowTabs({
  host,
  taskId,
  windows,
  chosen,
  onCloseShell,
}: {
  host: string
  taskId: string
  windows: readonly WindowView[]
  /** The agent's screen, which is the first, without one. */
  chosen: ApartWindow | undefined
  onCloseShell: (window: WindowView) => void
}) {
  const { t } = useText()
  const { list } = useOpenTerminals()
  const row = useRef<HTMLDivElement>(null)
  useFocusAfterMove(row, chosen?.key ?? '')
  const task = terminalKey(host, taskId)
  return (
    <div className={styles.windows}>
      <div ref={row} role="tablist" aria-label={t('terminal.windows.tabs')} className={styles.tabList}>
        {windows.map((window, index) => {
          const apart = index === 0 ? undefined : window
          const key = terminalKey(host, taskId, apart)
          return (
            <TerminalTab
              key={window.key}
              row={row}
              name={visibleLine(windowName(window, t))}
              panel={WINDOW_PANEL}
              isCurrent={chosen?.key === apart?.key}
              hasNews={list.some((one) => one.key === key && one.hasNews)}
              onShow={() => {
                focusAfterMove('tab')
                chooseWindow(task, apart)
              }}
              onClose={window.kind === 'shell' ? () => onCloseShell(window) : undefined}
            />
          )
        })}
      </div>
    </div>
  )
}
