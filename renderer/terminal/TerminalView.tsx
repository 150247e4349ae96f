import '@xterm/xterm/css/xterm.css'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useShortcut } from '../ui/shortcuts.ts'
import type { ApartWindow } from './open-terminals.ts'
import { PasteQuestion } from './PasteQuestion.tsx'
import { screenKey } from './screen-keys.ts'
import { SearchBar } from './SearchBar.tsx'
import { canTake, StateLine } from './StateLine.tsx'
import styles from './terminal.module.css'
import { useAttached, usePageVisible, useTerminal } from './use-terminal.ts'
import { useTerminalLabel } from './use-windows.ts'

const NUDGE_MS = 1_200

/**
 * The agent's own screen, or one window of its task, live. Somebody who only looks cannot type. It keeps its attachment while another terminal is shown
 * (`isKept`); when none is, it lets go after 30 s.
 */
export function TerminalView({
  host,
  taskId,
  window,
  isShown: isPlaced,
  isKept,
  onNews,
  onEnded,
}: {
  host: string
  taskId: string
  window: ApartWindow | undefined
  isShown: boolean
  isKept: boolean
  /** Something new is there that nobody sees. */
  onNews: () => void
  onEnded: (() => void) | undefined
}) {
  const label = useTerminalLabel(window)
  const container = useRef<HTMLDivElement>(null)
  const [isSearching, setSearching] = useState(false)
  const [pasted, setPasted] = useState<string>()
  const [nudges, setNudges] = useState(0)
  const isNudged = useBriefly(nudges)
  const isVisible = usePageVisible()
  const isShown = isVisible && isPlaced
  const { state, controlled, parts } = useTerminal({
    host,
    taskId,
    window: window?.key,
    label,
    container,
    isAttached: useAttached({ isShown, isKept: isVisible && isKept }),
    isShown,
    onRiskyPaste: setPasted,
    onRefused: () => setNudges((count) => count + 1),
    onNews,
  })
  const control = (take: boolean) => {
    parts?.link.control(take)
    parts?.screen.terminal.focus()
  }
  const kind = window?.kind ?? 'agent'
  const hasEnded = state.kind === 'ended'
  const tellEnded = useRef(onEnded)
  tellEnded.current = onEnded
  useEffect(() => {
    if (hasEnded) tellEnded.current?.()
  }, [hasEnded])
  useShortcut(
    'mod+shift+enter',
    isPlaced && canTake(kind) && (state.kind === 'live' || state.kind === 'connecting')
      ? () => control(!controlled)
      : undefined,
  )

  const onKeyDown = (event: KeyboardEvent) => {
    const key = screenKey(event) ?? (!controlled && isPlainFind(event) ? 'search' : undefined)
    if (key === 'search') setSearching(true)
    // Without a selection the browser may do what it likes with the keys.
    else if (key !== 'copy' || parts?.screen.copy() !== true) return
    event.preventDefault()
    event.stopPropagation()
  }
  const closeSearch = () => {
    setSearching(false)
    parts?.screen.terminal.focus()
  }
  const answerPaste = (paste: boolean) => {
    if (paste && pasted !== undefined) parts?.screen.terminal.paste(pasted)
    setPasted(undefined)
    // After the dialog, which holds the focus while it goes.
    setTimeout(() => parts?.screen.terminal.focus())
  }
  return (
    <section className={styles.view} aria-label={label} onKeyDown={onKeyDown}>
      <StateLine
        kind={kind}
        state={state}
        controlled={controlled}
        isNudged={isNudged}
        onControl={control}
        onRetry={() => parts?.link.retry()}
        onSearch={() => setSearching(true)}
      />
      <div className={styles.ground} data-faded={state.kind === 'lost' || state.kind === 'ended'}>
        <div
          ref={container}
          className={styles.screen}
          data-renderer={parts?.screen.gpu.isOn() ? 'webgl' : 'dom'}
        />
        {isSearching && parts !== undefined ? (
          <SearchBar screen={parts.screen} onClose={closeSearch} />
        ) : null}
      </div>
      {pasted === undefined ? null : <PasteQuestion text={pasted} onAnswer={answerPaste} />}
    </section>
  )
}

/** While the program has no use for it, Ctrl+F finds as everywhere. */
function isPlainFind(event: KeyboardEvent): boolean {
  return event.key === 'f' && event.ctrlKey && !event.altKey && !event.metaKey
}

/** True for a moment after `count` rose. */
function useBriefly(count: number): boolean {
  const [isOn, setOn] = useState(false)
  useEffect(() => {
    if (count === 0) return
    setOn(true)
    const timer = setTimeout(() => setOn(false), NUDGE_MS)
    return () => clearTimeout(timer)
  }, [count])
  return isOn
}
