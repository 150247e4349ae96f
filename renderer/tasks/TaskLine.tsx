import type { HostView, TaskRow } from '../../shared/ipc/views.ts'
import { visibleLine } from '../../shared/domain/visible.ts'
import { hostLabel } from '../app/host-words.ts'
import { useText } from '../i18n/i18n.ts'
import { Dot } from '../ui/Tag.tsx'
import { age, useNow } from '../ui/time.ts'
import { resultWords } from './result-words.ts'
import { stateTone, stateWords } from './task-words.ts'
import styles from './TaskLine.module.css'

const DOTS = { neutral: 'off', danger: 'bad', warn: 'wait', ok: 'ok', accent: 'ok' } as const

/** One task in the list. */
export function TaskLine({
  row,
  host,
  isCurrent,
  onOpen,
}: {
  row: TaskRow
  host: HostView | undefined
  isCurrent: boolean
  onOpen: () => void
}) {
  const { t } = useText()
  const now = useNow()
  const words = stateWords(row, t)
  // Only another machine is worth a word.
  const place = host === undefined ? row.host : host.isLocal ? '' : hostLabel(host, t)
  const result = resultWords(row, t).join(' · ')
  const parts = [words, visibleLine(row.repoName), place, result || row.executor].filter(Boolean)
  return (
    <button
      type="button"
      className={`${styles.line} ${isCurrent ? styles.on : ''}`}
      aria-current={isCurrent ? 'true' : undefined}
      onClick={onOpen}
    >
      <span className={`${styles.mark} ${row.state === 'running' ? styles.running : ''}`}>
        <Dot tone={DOTS[stateTone(row)]} />
      </span>
      <span className={styles.title}>{visibleLine(row.title)}</span>
      <time>{age(row.updatedAt, now, t)}</time>
      <span className={styles.meta}>{parts.join(' · ')}</span>
    </button>
  )
}
