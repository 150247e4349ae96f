import { Suspense, useEffect, useSyncExternalStore } from 'react'
import { Button } from '../ui/Button.tsx'
import { useText } from '../i18n/i18n.ts'
import { Desk } from './Desk.tsx'
import type { WindowLink } from './start.ts'
import { SignedOut } from './SignedOut.tsx'
import { TrayScreen } from '../tray/TrayScreen.tsx'
import { useRoute } from './navigation.ts'
import styles from './App.module.css'

/** The whole window, whatever state it is in. */
export function App({ window: link }: { window: WindowLink }) {
  const state = useSyncExternalStore(link.watch, link.state)
  const route = useRoute()
  switch (state.kind) {
    case 'starting':
      return <div className={styles.starting} aria-busy="true" />
    case 'signed_out':
      return <SignedOut why={state.why} />
    case 'ready':
    case 'lost':
      if (state.kind === 'lost' && !state.wasReady) return <LostBanner onRetry={link.retry} />
      return (
        <Suspense fallback={<div className={styles.starting} aria-busy="true" />}>
          {state.kind === 'lost' ? <LostBanner onRetry={link.retry} /> : null}
          {route.startsWith('/tray') ? <TrayScreen /> : <Desk />}
        </Suspense>
      )
  }
}

function LostBanner({ onRetry }: { onRetry: () => void }) {
  const { t } = useText()
  useEffect(() => {
    const root = document.documentElement
    root.dataset['link'] = 'lost'
    return () => {
      delete root.dataset['link']
    }
  }, [])
  return (
    <div className={styles.lost} role="status">
      {t('app.lost')}
      <Button size="small" onClick={onRetry}>
        {t('app.retryNow')}
      </Button>
    </div>
  )
}
