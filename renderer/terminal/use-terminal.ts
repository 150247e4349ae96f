import { useEffect, useRef, useState, type RefObject } from 'react'
import type { TerminalState } from '../../shared/ipc/terminal-calls.ts'
import { openUrl } from '../bridge/bridge.ts'
import { useSettings } from '../bridge/desk-store.ts'
import { onThemeChange, terminalLook } from './look.ts'
import { createNewsWatch } from './news.ts'
import { createScreen, type Screen } from './screen.ts'
import { createTerminalLink, type TerminalLink } from './terminal-link.ts'

interface Parts {
  screen: Screen
  link: TerminalLink
  news: ReturnType<typeof createNewsWatch>
}

/** What the view needs to know of a terminal. `parts` is undefined while nothing is attached. */
export interface TerminalStatus {
  state: TerminalState
  controlled: boolean
  parts: Parts | undefined
}

/** Whoever looks elsewhere for a moment finds the terminal as it was. */
const KEEP_HIDDEN_MS = 30_000

/** Whether a terminal should hold an attachment: from when it is shown until half a minute after it was neither shown nor kept. */
export function useAttached({ isShown, isKept }: { isShown: boolean; isKept: boolean }): boolean {
  const [isAttached, setAttached] = useState(isShown)
  useEffect(() => {
    if (isShown) return setAttached(true)
    if (isKept) return undefined
    const timer = setTimeout(() => setAttached(false), KEEP_HIDDEN_MS)
    return () => clearTimeout(timer)
  }, [isShown, isKept])
  return isAttached
}

/** Whether the page can be seen at all. */
export function usePageVisible(): boolean {
  const [isVisible, setVisible] = useState(() => document.visibilityState === 'visible')
  useEffect(() => {
    const look = () => setVisible(document.visibilityState === 'visible')
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return isVisible
}

/** A terminal in a container: made while `isAttached`, drawn by the GPU while `isShown`. */
export function useTerminal(options: {
  host: string
  taskId: string
  window: string | undefined
  label: string
  container: RefObject<HTMLDivElement | null>
  isAttached: boolean
  isShown: boolean
  onRiskyPaste: (text: string) => void
  onRefused: () => void
  onNews: () => void
}): TerminalStatus {
  const { host, taskId, window, container, isAttached, isShown } = options
  const settings = useSettings()
  const latest = useRef({ ...options, settings })
  latest.current = { ...options, settings }
  const [state, setState] = useState<TerminalState>({ kind: 'connecting' })
  const [controlled, setControlled] = useState(false)
  const [parts, setParts] = useState<Parts>()

  useEffect(() => {
    const element = container.current
    if (!isAttached || element === null) return
    const made = connect({ host, taskId, window, element, latest, setState, setControlled })
    setParts(made)
    return () => {
      made.link.close()
      made.news.dispose()
      made.screen.dispose()
      setParts(undefined)
      setControlled(false)
      setState({ kind: 'connecting' })
    }
  }, [host, taskId, window, container, isAttached])

  useEffect(() => {
    if (parts === undefined) return
    const apply = () => parts.screen.setLook(terminalLook(settings, controlled))
    apply()
    return onThemeChange(apply)
  }, [parts, settings, controlled])
  const { renderer } = settings.terminal
  useEffect(() => parts?.screen.gpu.set(isShown ? renderer : 'dom'), [parts, isShown, renderer])
  useEffect(() => parts?.news.setShown(isShown), [parts, isShown])
  useEffect(() => {
    parts?.screen.setControlled(controlled)
    // A shell has the keyboard from the start, perhaps when somebody has gone on already.
    if (controlled && latest.current.isShown) parts?.screen.terminal.focus()
  }, [parts, controlled])
  const { copyOnSelect } = settings.terminal
  useEffect(() => {
    const element = container.current
    if (parts === undefined || element === null || !copyOnSelect) return
    const copy = () => void parts.screen.copy()
    element.addEventListener('mouseup', copy)
    return () => element.removeEventListener('mouseup', copy)
  }, [parts, container, copyOnSelect])
  return { state, controlled, parts }
}

function connect(needs: {
  host: string
  taskId: string
  window: string | undefined
  element: HTMLElement
  latest: RefObject<{
    label: string
    settings: ReturnType<typeof useSettings>
    onRiskyPaste(text: string): void
    onRefused(): void
    onNews(): void
  }>
  setState(state: TerminalState): void
  setControlled(controlled: boolean): void
}): Parts {
  const { host, taskId, window, element, latest } = needs
  const link = createTerminalLink({
    host,
    taskId,
    window,
    onScreen(chunk, reset, drawn) {
      news.came()
      screen.write(chunk, reset, drawn)
    },
    onState(state, controlled) {
      needs.setState(state)
      needs.setControlled(controlled)
    },
  })
  const screen = createScreen({
    container: element,
    label: latest.current.label,
    look: terminalLook(latest.current.settings, false),
    onInput: (data) => link.type(data),
    onSize: (size) => link.resize(size),
    onRiskyPaste: (text) => latest.current.onRiskyPaste(text),
    onRefused: () => latest.current.onRefused(),
    onLink: openUrl,
  })
  const news = createNewsWatch({ rows: screen.rows, onNews: () => latest.current.onNews() })
  return { screen, link, news }
}
