import { useCounts } from '../bridge/desk-store.ts'
import { FIRST_WINDOW, takeAhead } from '../bridge/ahead.ts'
import { call } from '../bridge/bridge.ts'
import { useList } from '../bridge/use-list.ts'
import { INBOX_ROUTE, reviewRoute } from '../../shared/ipc/routes.ts'
import type { InboxRow } from '../../shared/ipc/views.ts'
import { useText } from '../i18n/i18n.ts'
import { Announcer } from '../ui/announce.tsx'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import { useSettled } from '../ui/use-delayed.ts'
import { visibleLine } from '../../shared/domain/visible.ts'
import { openInDesk } from './open-in-desk.ts'
import { TrayItem } from './TrayItem.tsx'
import styles from './TrayScreen.module.css'

const MAX_ITEMS = 8
/** After the list has moved, a press within this time was meant for what was there before. */
const SETTLE_MS = 500

/** The pending list of the tray's own small window. */
export function TrayScreen() {
  const { t } = useText()
  const { needsYou } = useCounts()
  const list = useList<InboxRow, object>(
    'tray',
    (offset, limit) => call('inbox.window', { offset, limit }),
    () => takeAhead('inbox.window', FIRST_WINDOW),
  )
  const rows = Array.from({ length: Math.min(list.total, FIRST_WINDOW.limit) }, (_, index) =>
    list.row(index),
  ).filter((row) => row !== undefined)
  const pending = rows.filter((row) => row.section === 'needs_you' && row.ticketId !== undefined)
  const shown = pending.slice(0, MAX_ITEMS)
  const reviews = rows.filter((row) => row.kind === 'review').slice(0, MAX_ITEMS)
  const isSettled = useSettled(shown.map((row) => row.key).join(' '), SETTLE_MS)
  return (
    <main className={styles.tray} data-settled={isSettled}>
      <header className={styles.bar}>
        <h1>{t('tray.name')}</h1>
        <span className={styles.space} />
        <button type="button" className={styles.count} onClick={() => openInDesk(INBOX_ROUTE)}>
          {needsYou === 0 ? t('tray.quiet') : t('glance.needYou', { count: needsYou })}
        </button>
      </header>
      {list.error === undefined ? null : <ErrorNote error={list.error} onRetry={list.reload} />}
      <ul className={styles.list} aria-label={t('tray.list')}>
        {shown.map((row) => (
          <TrayItem key={row.key} row={row} />
        ))}
        {pending.length <= shown.length ? null : (
          <QuietLine onClick={() => openInDesk(INBOX_ROUTE)}>
            {t('glance.more', { count: needsYou - shown.length })}
          </QuietLine>
        )}
        {reviews.map((row) => (
          <QuietLine key={row.key} onClick={() => openInDesk(reviewRoute(row.host, row.taskId))}>
            {t('glance.ready', { title: visibleLine(row.taskTitle) })}
          </QuietLine>
        ))}
      </ul>
      {list.isReady && shown.length === 0 ? <Quiet /> : null}
      <Announcer />
    </main>
  )
}

function QuietLine({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <li className={styles.line}>
      <button type="button" onClick={onClick}>
        {children}
      </button>
    </li>
  )
}

function Quiet() {
  const { t, language } = useText()
  const { running } = useCounts()
  return (
    <p className={styles.quiet}>
      {t('glance.nothing')}
      {language === 'zh' ? '' : ' '}
      {running === 0 ? t('inbox.quietNone') : t('glance.running', { count: running })}
    </p>
  )
}
