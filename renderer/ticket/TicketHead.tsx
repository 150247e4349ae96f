import {
  CircleCheck,
  CircleHelp,
  FilePen,
  Globe,
  ShieldAlert,
  SquareTerminal,
  Wrench,
  FolderOutput,
} from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import type { Ticket } from '../../shared/domain/ticket.ts'
import type { InboxRow } from '../../shared/ipc/views.ts'
import { useText } from '../i18n/i18n.ts'
import { Tag } from '../ui/Tag.tsx'
import { clockTime, fullTime, possibleTime, useNow } from '../ui/time.ts'
import styles from './TicketCard.module.css'
import { headingOf, isDangerous, riskTag } from './ticket-words.ts'

/** The picture of each kind of request. */
export const kindIcons: Record<Exclude<InboxRow['kind'], 'stalled' | 'offline' | 'failed'>, LucideIcon> = {
  command: SquareTerminal,
  edit: FilePen,
  fetch: Globe,
  outside: FolderOutput,
  other: Wrench,
  question: CircleHelp,
  review: CircleCheck,
}

/** What is asked, since when, and how dangerous it is. */
export function TicketHead({ ticket, headingId }: { ticket: Ticket; headingId: string }) {
  const { t, language } = useText()
  const now = useNow()
  const { ask } = ticket
  const danger = isDangerous(ticket)
  const Icon = danger ? ShieldAlert : kindIcons[ask.kind === 'permission' ? ask.action : ask.kind]
  const tone = danger ? styles.dangerIcon : ask.kind === 'review' ? styles.okIcon : styles.accentIcon
  return (
    <header className={styles.head}>
      <Icon size={16} strokeWidth={1.75} className={tone} aria-hidden="true" />
      <h2 id={headingId}>{headingOf(ticket, t)}</h2>
      <time
        className={styles.since}
        dateTime={new Date(possibleTime(ticket.openedAt)).toISOString()}
        // Worded when it is looked for: making a format takes longer than drawing the whole card.
        onPointerEnter={({ currentTarget }) => (currentTarget.title = fullTime(ticket.openedAt, language))}
      >
        {t('ticket.since', { time: clockTime(ticket.openedAt, now, language) })}
      </time>
      <span className={styles.space} />
      <Tags ticket={ticket} />
    </header>
  )
}

function Tags({ ticket }: { ticket: Ticket }) {
  const { t } = useText()
  const { ask } = ticket
  if (ask.kind === 'question') return <Tag tone="accent">{t(`inbox.${ask.topic}`)}</Tag>
  if (ask.kind === 'review') return <Tag tone="ok">{t('ticket.round', { round: ask.round })}</Tag>
  return isDangerous(ticket) ? (
    <Tag tone="danger">{riskTag(ask.risk.reason, t)}</Tag>
  ) : (
    <Tag>{t('inbox.routine')}</Tag>
  )
}
