import { useEffect, type RefObject } from 'react'

/** The id of what the tabs of tasks show. */
export const TERMINAL_PANEL = 'terminal-panel'

/** What has the focus after another terminal is shown: the tab that was chosen, or the terminal itself. */
export type FocusAfterMove = 'tab' | 'screen'

let focusNext: FocusAfterMove | undefined

/** Says where the focus goes with the next terminal that is shown. */
export function focusAfterMove(focus: FocusAfterMove): void {
  focusNext = focus
}

/** Another terminal is another screen, drawn anew: whoever moved there by its tab or by a key goes on from there. */
export function useFocusAfterMove(tabs: RefObject<HTMLElement | null>, current: string): void {
  useEffect(() => {
    const wanted = focusNext
    focusNext = undefined
    if (wanted === undefined) return
    const panel = document.getElementById(TERMINAL_PANEL)
    const screen =
      wanted === 'screen' ? panel?.querySelector<HTMLElement>('.xterm-helper-textarea') : undefined
    const tab = tabs.current?.querySelector<HTMLElement>('[aria-selected="true"]')
    ;(screen ?? tab)?.focus()
  }, [tabs, current])
}

/** The tab that a key moves to. */
export function focusedBy(key: string, list: HTMLElement | null, from: EventTarget): HTMLElement | undefined {
  const all = [...(list?.querySelectorAll<HTMLElement>('[role="tab"]') ?? [])]
  const at = all.indexOf(from as HTMLElement)
  if (key === 'ArrowRight') return all[(at + 1) % all.length]
  if (key === 'ArrowLeft') return all.at(at - 1)
  if (key === 'Home') return all[0]
  return key === 'End' ? all.at(-1) : undefined
}
