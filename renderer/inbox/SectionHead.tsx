import { useText } from '../i18n/i18n.ts'
import styles from './InboxList.module.css'
import type { Entry } from './section-rows.ts'

/** The name of a section above its rows. Each row says its section itself, so this is for the eye. */
export function SectionHead({
  entry,
  topPx,
  heightPx,
}: {
  entry: Extract<Entry, { kind: 'head' }>
  topPx: number
  heightPx: number
}) {
  const { t } = useText()
  return (
    <div
      className={styles.head}
      style={{ transform: `translateY(${topPx}px)`, height: heightPx }}
      aria-hidden="true"
    >
      {t(`inbox.section.${entry.section}`)}
      <span>{entry.count}</span>
    </div>
  )
}
