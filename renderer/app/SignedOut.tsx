import { useEffect } from 'react'
import type { SignedOutWhy } from '../bridge/browser-bridge.ts'
import { useText } from '../i18n/i18n.ts'
import { CopyButton } from '../ui/CopyButton.tsx'
import styles from './SignedOut.module.css'

// No path of the machine: whoever reaches the port may read this page.
const COMMANDS = ['handoff ui', 'bin/handoff ui']

/** The page of the browser shell without a session: why, and how to get one. */
export function SignedOut({ why }: { why: SignedOutWhy }) {
  const { t } = useText()
  useEffect(() => {
    // Without a session there are no settings; the system's own colours are the best guess.
    const isDark = matchMedia('(prefers-color-scheme: dark)').matches
    document.documentElement.dataset['theme'] ??= isDark ? 'dark' : 'light'
  }, [])
  return (
    <main className={styles.page}>
      <h1>{t(why === 'ended' ? 'app.signedOutTitle' : 'app.signInTitle')}</h1>
      <p>{t(`app.signedOut.${why}`)}</p>
      <p>{t('app.signInHow')}</p>
      {COMMANDS.map((command) => (
        <p key={command} className={styles.command}>
          <code>{command}</code>
          <CopyButton text={command} what={command} />
        </p>
      ))}
      <p>{t('app.signInWhere')}</p>
    </main>
  )
}
