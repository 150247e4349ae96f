import { lazy, Suspense, useEffect } from 'react'
import { call } from '../bridge/bridge.ts'
import { useText } from '../i18n/i18n.ts'
import { RunningCalls } from '../ui/RunningCalls.tsx'
import { Commands } from '../palette/Commands.tsx'
import { CrashBoundary } from './CrashBoundary.tsx'
import styles from './Desk.module.css'
import { routeParts } from '../../shared/ipc/routes.ts'
import { useRoute } from './navigation.ts'
import { Notices } from './Notices.tsx'
import { Problems } from './Problems.tsx'
import { sections } from './routes.tsx'
import { useOpenTerminals } from '../terminal/open-terminals.ts'
import { Sidebar } from './Sidebar.tsx'

const TerminalDeck = lazy(() =>
  import('../terminal/TerminalDeck.tsx').then((m) => ({ default: m.TerminalDeck })),
)

/** Where a person looks for what is not there. */
const WITH_PROBLEMS: ReadonlySet<string> = new Set(['inbox', 'hosts'])

/** The main window: the sidebar and the section that is open. */
export function Desk() {
  const { t } = useText()
  const route = useRoute()
  const [id, ...rest] = routeParts(route)
  const section = sections.find((one) => one.id === id) ?? sections[0]
  const hasTerminals = useOpenTerminals().list.length > 0
  useTellFocus(route)
  if (section === undefined) return null
  const Screen = section.screen
  return (
    <div className={styles.desk}>
      <a className="visually-hidden" href="#content" onClick={(event) => skipTo(event)}>
        {t('app.skip')}
      </a>
      <Sidebar current={section.id} />
      <main id="content" className={styles.content} tabIndex={-1}>
        <div>{WITH_PROBLEMS.has(section.id) ? <Problems /> : null}</div>
        <CrashBoundary key={section.id}>
          <Suspense fallback={<div aria-busy="true" />}>
            <Screen parts={rest} />
          </Suspense>
        </CrashBoundary>
        <div>
          <RunningCalls />
        </div>
      </main>
      {hasTerminals ? (
        <Suspense fallback={null}>
          <TerminalDeck />
        </Suspense>
      ) : null}
      <Notices />
      <Commands />
    </div>
  )
}

/** The hash is the route, so the link may not change it. */
function skipTo(event: { preventDefault(): void }): void {
  event.preventDefault()
  document.getElementById('content')?.focus()
}

/** Tells the services what is on the screen, so that nothing is announced that the person is looking at. */
function useTellFocus(route: string): void {
  useEffect(() => {
    const tell = () => {
      // Without the services nothing is announced either; the window says elsewhere that they are away.
      call('desk.focus', { route, focused: document.hasFocus() }).catch(() => undefined)
    }
    tell()
    window.addEventListener('focus', tell)
    window.addEventListener('blur', tell)
    return () => {
      window.removeEventListener('focus', tell)
      window.removeEventListener('blur', tell)
    }
  }, [route])
}
