import { Plus, X } from 'lucide-react'
import { useEffect, useRef, type KeyboardEvent } from 'react'
import { routeTo } from '../../shared/ipc/routes.ts'
import { navigate } from '../app/navigation.ts'
import { useText } from '../i18n/i18n.ts'
import { IconButton } from '../ui/Button.tsx'
import { Menu } from '../ui/Menu.tsx'
import { useShortcut } from '../ui/shortcuts.ts'
import { MoreTerminals } from './MoreTerminals.tsx'
import { closeTerminal, useOpenTerminals, type OpenTerminal } from './open-terminals.ts'
import styles from './terminal.module.css'

/** The id of what the tabs show. */
export const TERMINAL_PANEL = 'terminal-panel'

/** What has the focus after another terminal is shown: the tab that was chosen, or the terminal itself. */
let focusNext: 'tab' | 'screen' | undefined

function goTo({ host, taskId }: { host: string; taskId: string }, focus: typeof focusNext): void {
  focusNext = focus
  navigate(routeTo('tasks', host, taskId, 'terminal'))
}

/** The open terminals. Arrows move between tabs, Enter shows one, Delete closes it. */
export function TerminalTabs({ current, onNone }: { current: string; onNone: () => void }) {
  const { t } = useText()
  const { list } = useOpenTerminals()
  const tabs = useRef<HTMLDivElement>(null)
  useFocusAfterMove(tabs)

  const step = (by: number) => {
    const at = list.findIndex(({ key }) => key === current)
    const next = list[(at + by + list.length) % list.length]
    if (next !== undefined && next.key !== current) goTo(next, 'screen')
  }
  const hasOthers = list.length > 1
  useShortcut('mod+shift+pagedown', hasOthers ? () => step(1) : undefined)
  useShortcut('mod+shift+pageup', hasOthers ? () => step(-1) : undefined)

  const close = (one: OpenTerminal) => {
    const beside = closeTerminal(one.key)
    if (one.key !== current) return
    if (beside === undefined) onNone()
    else goTo(beside, 'tab')
  }
  const onKeyDown = (event: KeyboardEvent, one: OpenTerminal) => {
    const next = focusedBy(event.key, tabs.current, event.currentTarget)
    if (event.key === 'Delete') close(one)
    else if (next !== undefined) next.focus()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className={styles.tabs}>
      <div ref={tabs} role="tablist" aria-label={t('terminal.tabs.label')} className={styles.tabList}>
        {list.map((one) => (
          <button
            key={one.key}
            type="button"
            role="tab"
            aria-selected={one.key === current}
            aria-controls={TERMINAL_PANEL}
            aria-keyshortcuts="Delete"
            tabIndex={one.key === current ? 0 : -1}
            className={styles.tab}
            title={one.title}
            onClick={() => one.key !== current && goTo(one, 'tab')}
            onAuxClick={(event) => event.button === 1 && close(one)}
            onKeyDown={(event) => onKeyDown(event, one)}
          >
            <span className={styles.tabName}>{one.title}</span>
            {one.hasNews ? (
              <span className={styles.news}>
                <span className="visually-hidden">{t('terminal.tabs.news')}</span>
              </span>
            ) : null}
            {/* For the mouse; the keyboard has Delete. */}
            <span
              className={styles.tabClose}
              aria-hidden="true"
              data-close
              onClick={(event) => {
                event.stopPropagation()
                close(one)
              }}
            >
              <X size={12} />
            </span>
          </button>
        ))}
      </div>
      <Menu
        trigger={
          <IconButton label={t('terminal.tabs.more')} className={styles.action}>
            <Plus size={14} />
          </IconButton>
        }
      >
        <MoreTerminals open={list} onOpen={(place) => goTo(place, 'tab')} />
      </Menu>
    </div>
  )
}

/** The tab that a key moves to. */
function focusedBy(key: string, list: HTMLElement | null, from: EventTarget): HTMLElement | undefined {
  const all = [...(list?.querySelectorAll<HTMLElement>('[role="tab"]') ?? [])]
  const at = all.indexOf(from as HTMLElement)
  if (key === 'ArrowRight') return all[(at + 1) % all.length]
  if (key === 'ArrowLeft') return all.at(at - 1)
  if (key === 'Home') return all[0]
  return key === 'End' ? all.at(-1) : undefined
}

/** Another terminal is another screen, drawn anew: whoever moved there by its tab or by a key goes on from there. */
function useFocusAfterMove(tabs: { current: HTMLElement | null }): void {
  useEffect(() => {
    const wanted = focusNext
    focusNext = undefined
    if (wanted === undefined) return
    const panel = document.getElementById(TERMINAL_PANEL)
    const screen =
      wanted === 'screen' ? panel?.querySelector<HTMLElement>('.xterm-helper-textarea') : undefined
    const tab = tabs.current?.querySelector<HTMLElement>('[aria-selected="true"]')
    ;(screen ?? tab)?.focus()
  }, [tabs])
}
