import { useEffect } from 'react'
import { useText } from '../i18n/i18n.ts'
import { CopyButton } from '../ui/CopyButton.tsx'
import styles from './SignedOut.module.css'

const COMMAND = 'handoff ui'

/** The page of the browser shell without a session: how to get one. */
export function SignedOut() {
  const { t } = useText()
  useEffect(() => {
    // Without a session there are no settings; the system's own colours are the best guess.
    const isDark = matchMedia('(prefers-color-scheme: dark)').matches
    document.documentElement.dataset['theme'] ??= isDark ? 'dark' : 'light'
  }, [])
  return (
    <main className={styles.page}>
      <h1>{t('app.signedOutTitle')}</h1>
      <p>{t('app.signedOut')}</p>
      <p className={styles.command}>
        <code>{COMMAND}</code>
        <CopyButton text={COMMAND} what={COMMAND} />
      </p>
    </main>
  )
}
