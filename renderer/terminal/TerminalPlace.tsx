import { SquareTerminal } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import { useShortcut } from '../ui/shortcuts.ts'
import { CloseShellQuestion } from './CloseShellQuestion.tsx'
import { TERMINAL_PANEL } from './move-focus.ts'
import { renameTerminal, showTerminal, terminalKey, useOpenTerminals } from './open-terminals.ts'
import { restoreTerminals } from './restore-terminals.ts'
import { TerminalTabs } from './TerminalTabs.tsx'
import { useShells } from './use-shells.ts'
import { useSteps } from './use-steps.ts'
import { useWindows, windowName } from './use-windows.ts'
import { WINDOW_PANEL, WindowTabs } from './WindowTabs.tsx'
import styles from './terminal.module.css'

/** Where the terminal of a task is seen, under the tabs of all that are open and of the task's own windows. */
export function TerminalPlace({
  host,
  taskId,
  title,
  onNone,
}: {
  host: string
  taskId: string
  title: string | undefined
  /** The last tab was closed. */
  onNone: () => void
}) {
  const { t } = useText()
  const place = useRef<HTMLDivElement>(null)
  const key = terminalKey(host, taskId)
  const named = title ?? taskId.slice(0, 8)
  const chosen = useOpenTerminals().chosen[key]
  const latest = useRef({ named, chosen })
  latest.current = { named, chosen }
  useLayoutEffect(() => {
    if (place.current === null) return
    restoreTerminals()
    const { named: asNamed, chosen: window } = latest.current
    return showTerminal({ host, taskId, title: asNamed, window }, place.current)
  }, [host, taskId, chosen?.key])
  useEffect(() => {
    if (title !== undefined) renameTerminal(key, title)
  }, [key, title])
  const { windows, canOpenShell, reload } = useWindows(host, taskId)
  const shells = useShells({ host, taskId, windows, onChange: reload })
  useSteps(key, windows)
  useShortcut('mod+shift+l', canOpenShell ? () => shells.open() : undefined)
  const hasWindows = windows.length > 1
  return (
    <div className={styles.deck}>
      <TerminalTabs current={key} onNone={onNone}>
        {canOpenShell ? (
          <Button
            size="small"
            look="quiet"
            className={styles.action}
            icon={<SquareTerminal size={14} />}
            shortcut="mod+shift+l"
            busy={shells.isOpening}
            onClick={() => shells.open()}
          >
            {t('terminal.shell.new')}
          </Button>
        ) : null}
      </TerminalTabs>
      <div id={TERMINAL_PANEL} role="tabpanel" aria-label={named} className={styles.place}>
        {hasWindows ? (
          <WindowTabs
            host={host}
            taskId={taskId}
            windows={windows}
            chosen={chosen}
            onCloseShell={(window) => shells.close(window, false)}
          />
        ) : null}
        {shells.error === undefined ? null : <ErrorNote error={shells.error} />}
        <div
          ref={place}
          id={WINDOW_PANEL}
          className={styles.place}
          {...(hasWindows
            ? { role: 'tabpanel', 'aria-label': windowName(chosen ?? windows[0] ?? AGENT, t) }
            : {})}
        />
      </div>
      {shells.busy === undefined ? null : (
        <CloseShellQuestion
          shell={shells.busy}
          onAnswer={(close) => {
            if (close && shells.busy !== undefined) shells.close(shells.busy.window, true)
            else shells.keep()
          }}
        />
      )}
    </div>
  )
}

const AGENT = { kind: 'agent', name: '' } as const
