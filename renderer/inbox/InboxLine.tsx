import { CircleX, ShieldAlert, TriangleAlert } from 'lucide-react'
import { memo } from 'react'
import type { InboxRow } from '../../shared/ipc/views.ts'
import { hostLabel } from '../app/host-words.ts'
import { useHost } from '../bridge/desk-store.ts'
import { useText, type Translate } from '../i18n/i18n.ts'
import { kindIcons } from '../ticket/TicketHead.tsx'
import { resultWords } from '../tasks/result-words.ts'
import { askedWords, riskTag } from '../ticket/ticket-words.ts'
import { Tag } from '../ui/Tag.tsx'
import { age, useNow } from '../ui/time.ts'
import { visibleLine } from '../../shared/domain/visible.ts'
import styles from './InboxList.module.css'
import { placeOf, type InboxPlace } from './selection.ts'

/**
 * One row: what is asked, for how long, and where it comes from. Without its data it keeps its room. It is drawn again only when
 * it is another, since the list is with every step of the person.
 */
export const InboxLine = memo(function InboxLine({
  id,
  row,
  number,
  total,
  isSelected,
  topPx,
  heightPx,
  onSelect,
  onOpen,
}: {
  id: string
  row: InboxRow | undefined
  /** Its number in the whole list, from 0. */
  number: number
  total: number
  isSelected: boolean
  topPx: number
  heightPx: number
  onSelect: (place: InboxPlace, row: number) => void
  onOpen: (row: number) => void
}) {
  const { t } = useText()
  return (
    // The list has the keyboard; a row is only clicked.
    <div
      id={id}
      role="option"
      aria-selected={isSelected}
      aria-setsize={total}
      aria-posinset={number + 1}
      aria-label={row === undefined ? t('common.loading') : undefined}
      className={`${styles.row} ${isSelected ? styles.on : ''}`}
      style={{ transform: `translateY(${topPx}px)`, height: heightPx }}
      onClick={row === undefined ? undefined : () => onSelect(placeOf(row), number)}
      onDoubleClick={() => onOpen(number)}
    >
      {row === undefined ? <span className={styles.unknown} /> : <RowContent row={row} />}
    </div>
  )
})

function RowContent({ row }: { row: InboxRow }) {
  const { t } = useText()
  const now = useNow()
  const host = useHost(row.host)
  const { Icon, tone } = lookOf(row)
  const isCode = row.kind === 'command' || row.kind === 'fetch'
  const place = host === undefined ? row.host : hostLabel(host, t)
  // A row that is about the task as a whole has its name in the title already.
  const where = visibleLine(isAboutTask(row) ? row.repoName : row.taskTitle)
  const result = resultWords(row, t)
  return (
    <>
      <span className="visually-hidden">{spokenKind(row, t)}</span>
      <Icon size={15} strokeWidth={1.75} className={`${styles.icon} ${styles[tone]}`} aria-hidden="true" />
      <span className={`${styles.title} ${isCode ? styles.mono : ''}`}>{titleOf(row, t)}</span>
      <time className={styles.age}>{age(row.at, now, t)}</time>
      {result.length > 0 && row.outbox === undefined ? (
        <span className={styles.meta}>
          <span className={styles.result}>
            {[where, ...(host?.isLocal === true ? [] : [place]), ...result].join(' · ')}
          </span>
        </span>
      ) : (
        <span className={styles.meta}>
          <span className={styles.where}>{where}</span>
          {host?.isLocal === true ? null : <span className={styles.host}>{place}</span>}
          <RowNote row={row} place={place} />
        </span>
      )}
    </>
  )
}

function isAboutTask({ kind }: InboxRow): boolean {
  return kind === 'review' || kind === 'stalled' || kind === 'offline' || kind === 'failed'
}

/** What sets this row apart: an answer on its way, a danger, or what kind of question it is. */
function RowNote({ row, place }: { row: InboxRow; place: string }) {
  const { t } = useText()
  if (row.outbox !== undefined)
    return <Tag tone="warn">{t(`inbox.outbox.${row.outbox}`, { host: place })}</Tag>
  if (row.riskReason !== undefined) return <Tag tone="danger">{riskTag(row.riskReason, t)}</Tag>
  const word = plainNote(row, t)
  return word === undefined ? null : <span className={styles.note}>{word}</span>
}

function plainNote(row: InboxRow, t: Translate): string | undefined {
  if (row.escalated) return t('inbox.escalated')
  if (row.subagent !== undefined) return t('inbox.helper', { name: visibleLine(row.subagent) })
  if (row.topic !== undefined) return t(`inbox.${row.topic}`)
  if (row.section === 'reviewer') return t('inbox.routine')
  return isAboutTask(row) ? visibleLine(row.executor) : visibleLine(row.repoName)
}

function lookOf({ kind, riskReason, section }: InboxRow) {
  if (riskReason !== undefined) return { Icon: ShieldAlert, tone: 'danger' } as const
  if (kind === 'failed') return { Icon: CircleX, tone: 'danger' } as const
  if (kind === 'stalled' || kind === 'offline') return { Icon: TriangleAlert, tone: 'warn' } as const
  if (kind === 'review') return { Icon: kindIcons.review, tone: 'ok' } as const
  return { Icon: kindIcons[kind], tone: section === 'reviewer' ? 'faint' : 'accent' } as const
}

function titleOf(row: InboxRow, t: Translate): string {
  switch (row.kind) {
    case 'review':
    case 'stalled':
    case 'offline':
    case 'failed':
      return t(`inbox.${row.kind}`, { title: visibleLine(row.taskTitle) })
    case 'command':
    case 'edit':
    case 'fetch':
    case 'outside':
    case 'other':
    case 'question':
      return askedWords(row.kind, visibleLine(row.title), t)
  }
}

/** What the eye sees from the section and the picture. */
function spokenKind(row: InboxRow, t: Translate): string {
  return `${t(`inbox.section.${row.section}`)}, ${t(`ticket.short.${row.kind}`)}: `
}
