import { useCounts } from '../bridge/desk-store.ts'
import { useText } from '../i18n/i18n.ts'
import { openNewTask } from '../palette/open.ts'
import { startDemo } from '../welcome/demo.ts'
import { Button } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import styles from './InboxEmpty.module.css'
import { isFiltering, type InboxFilter } from './use-inbox.ts'

/** The list without a row: why, and what to do next. */
export function InboxEmpty({ filter, onClear }: { filter: InboxFilter; onClear: () => void }) {
  const { t } = useText()
  const { running, reviewer } = useCounts()
  if (isFiltering(filter))
    return (
      <div className={styles.empty}>
        <strong>{t('inbox.noMatch')}</strong>
        {filter.text.trim() === '' ? null : <p>{t('inbox.noMatchText')}</p>}
        <Button size="small" onClick={onClear}>
          {t('inbox.clear')}
        </Button>
      </div>
    )
  return (
    <div className={styles.empty}>
      <strong>{t('inbox.quietTitle')}</strong>
      <p>{running === 0 ? t('inbox.quietNone') : t('glance.running', { count: running })}</p>
      {reviewer === 0 ? null : <p>{t('inbox.quietReviewer', { count: reviewer })}</p>}
      <Button size="small" onClick={openNewTask}>
        {t('welcome.newTask')}
      </Button>
    </div>
  )
}

/** The whole inbox when nothing needs the person and nothing is open. */
export function QuietInbox() {
  const { t } = useText()
  const { running } = useCounts()
  return (
    <Empty
      title={t('inbox.quietTitle')}
      actions={
        <>
          <Button onClick={openNewTask}>{t('welcome.newTask')}</Button>
          {running === 0 ? <Button onClick={() => startDemo()}>{t('welcome.demo')}</Button> : null}
        </>
      }
    >
      {running === 0 ? t('inbox.quietNone') : t('glance.running', { count: running })}
    </Empty>
  )
}
