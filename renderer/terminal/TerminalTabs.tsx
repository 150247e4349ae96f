import { Plus } from 'lucide-react'
import { useRef, type ReactNode } from 'react'
import { routeTo } from '../../shared/ipc/routes.ts'
import { navigate } from '../app/navigation.ts'
import { useText } from '../i18n/i18n.ts'
import { IconButton } from '../ui/Button.tsx'
import { Menu } from '../ui/Menu.tsx'
import { MoreTerminals } from './MoreTerminals.tsx'
import { focusAfterMove, TERMINAL_PANEL, useFocusAfterMove, type FocusAfterMove } from './move-focus.ts'
import { closeTerminal, isOfTask, isTask, useOpenTerminals, type OpenTerminal } from './open-terminals.ts'
import { TerminalTab } from './TerminalTab.tsx'
import styles from './terminal.module.css'

/** Shows the terminal of another task. */
export function goToTerminal(
  { host, taskId }: { host: string; taskId: string },
  focus: FocusAfterMove,
): void {
  focusAfterMove(focus)
  navigate(routeTo('tasks', host, taskId, 'terminal'))
}

/** The tasks whose terminals are open, and what else can be done here (`children`). */
export function TerminalTabs({
  current,
  onNone,
  children,
}: {
  current: string
  onNone: () => void
  children: ReactNode
}) {
  const { t } = useText()
  const { list } = useOpenTerminals()
  const tasks = list.filter(isTask)
  const tabs = useRef<HTMLDivElement>(null)
  useFocusAfterMove(tabs, current)

  const close = (one: OpenTerminal) => {
    const beside = closeTerminal(one.key)
    if (one.key !== current) return
    if (beside === undefined) onNone()
    else goToTerminal(beside, 'tab')
  }
  return (
    <div className={styles.tabs}>
      <div ref={tabs} role="tablist" aria-label={t('terminal.tabs.label')} className={styles.tabList}>
        {tasks.map((one) => (
          <TerminalTab
            key={one.key}
            row={tabs}
            name={one.title}
            panel={TERMINAL_PANEL}
            isCurrent={one.key === current}
            // What came in a window of the task on the screen is told by the window's own tab.
            hasNews={one.key !== current && list.some((other) => other.hasNews && isOfTask(one.key, other))}
            onShow={() => goToTerminal(one, 'tab')}
            onClose={() => close(one)}
          />
        ))}
      </div>
      <Menu
        trigger={
          <IconButton label={t('terminal.tabs.more')} className={styles.action}>
            <Plus size={14} />
          </IconButton>
        }
      >
        <MoreTerminals open={tasks} onOpen={(place) => goToTerminal(place, 'tab')} />
      </Menu>
      <span className={styles.space} />
      {children}
    </div>
  )
}
