import { useEffect, useLayoutEffect, useRef } from 'react'
import { renameTerminal, showTerminal, terminalKey } from './open-terminals.ts'
import { restoreTerminals } from './restore-terminals.ts'
import { TERMINAL_PANEL, TerminalTabs } from './TerminalTabs.tsx'
import styles from './terminal.module.css'

/** Where the terminal of a task is seen, under the tabs of all that are open. */
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
  const place = useRef<HTMLDivElement>(null)
  const key = terminalKey(host, taskId)
  const named = title ?? taskId.slice(0, 8)
  const latest = useRef(named)
  latest.current = named
  useLayoutEffect(() => {
    if (place.current === null) return
    restoreTerminals()
    return showTerminal({ host, taskId, title: latest.current }, place.current)
  }, [host, taskId])
  useEffect(() => {
    if (title !== undefined) renameTerminal(key, title)
  }, [key, title])
  return (
    <div className={styles.deck}>
      <TerminalTabs current={key} onNone={onNone} />
      <div ref={place} id={TERMINAL_PANEL} role="tabpanel" aria-label={named} className={styles.place} />
    </div>
  )
}
