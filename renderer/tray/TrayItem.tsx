import { useCallback, useState } from 'react'
import { ShieldAlert } from 'lucide-react'
import type { InboxRow } from '../../shared/ipc/views.ts'
import { ticketRoute } from '../../shared/ipc/routes.ts'
import { useHostLabel } from '../app/host-words.ts'
import { touches, useCall } from '../bridge/use-call.ts'
import { useText } from '../i18n/i18n.ts'
import { AskText } from '../ticket/AskText.tsx'
import { DenyPanel } from '../ticket/DenyPanel.tsx'
import { ApproveButton } from '../ticket/PermissionActions.tsx'
import type { TicketView } from '../ticket/TicketCard.tsx'
import { kindIcons } from '../ticket/TicketHead.tsx'
import { Outgoing, TicketOutcome } from '../ticket/TicketOutcome.tsx'
import { isDangerous, riskTag, riskWhy } from '../ticket/ticket-words.ts'
import { useDecide, type Decide } from '../ticket/use-decide.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import { visibleLine, visibleText } from '../../shared/domain/visible.ts'
import { openInDesk } from './open-in-desk.ts'
import styles from './TrayScreen.module.css'

const TEXT_HEIGHT_PX = 84
const MAX_OPTIONS = 3

/** One thing that waits, decided without leaving what one was doing. */
export function TrayItem({ row }: { row: InboxRow }) {
  const { host, ticketId = '' } = row
  const { data, error, reload } = useCall(
    'ticket.get',
    { host, ticketId },
    { refreshOn: touches(host, row.taskId) },
  )
  return (
    <li className={styles.item} data-ticket={ticketId}>
      {error === undefined || data !== undefined ? null : <ErrorNote error={error} onRetry={reload} />}
      {data === undefined ? <ItemHead row={row} /> : <Item row={row} view={{ ...data, host }} />}
    </li>
  )
}

function ItemHead({ row }: { row: InboxRow }) {
  return <div className={styles.head}>{visibleLine(row.title)}</div>
}

function Item({ row, view }: { row: InboxRow; view: TicketView }) {
  const { t } = useText()
  const host = useHostLabel(view.host)
  const decide = useDecide({ host: view.host, ticket: view.ticket, onDecided: undefined })
  const [isHidden, setHidden] = useState(false)
  const onHidden = useCallback((hidden: boolean) => setHidden(hidden), [])
  const { ticket, outbox } = view
  const { ask } = ticket
  const danger = isDangerous(ticket)
  const Icon = danger ? ShieldAlert : kindIcons[ask.kind === 'permission' ? ask.action : ask.kind]
  const notes = [visibleLine(row.taskTitle), host, ...(danger ? [riskTag(row.riskReason, t)] : [])]
  return (
    <>
      <div className={styles.head}>
        <Icon
          size={15}
          strokeWidth={1.75}
          className={danger ? styles.danger : styles.accent}
          aria-hidden="true"
        />
        {ask.kind === 'permission' ? (
          <div className={styles.text}>
            <AskText ask={ask} maxHeightPx={TEXT_HEIGHT_PX} onHidden={onHidden} />
          </div>
        ) : (
          <span className={styles.question}>{visibleText(ask.text)}</span>
        )}
      </div>
      <p
        className={styles.meta}
        title={ask.kind === 'permission' && danger ? riskWhy(ask.risk, t) : undefined}
      >
        {notes.join(' · ')}
      </p>
      {decide.error === undefined ? null : <ErrorNote error={decide.error} />}
      {ticket.state !== 'open' ? <TicketOutcome view={view} wasLate={false} /> : null}
      {ticket.state === 'open' && outbox !== undefined ? <Outgoing host={view.host} entry={outbox} /> : null}
      {ticket.state === 'open' && outbox === undefined ? (
        <ItemActions view={view} decide={decide} isBlocked={isHidden} />
      ) : null}
    </>
  )
}

function ItemActions({ view, decide, isBlocked }: { view: TicketView; decide: Decide; isBlocked: boolean }) {
  const { t } = useText()
  const [isDenying, setDenying] = useState(false)
  const { ticket, mayAnswer } = view
  const { ask } = ticket
  const route = ticketRoute(view.host, ticket)
  if (isDenying) return <DenyPanel decide={decide} onClose={() => setDenying(false)} />
  if (!mayAnswer) return <Open label={t('decide.open')} route={route} />
  if (ask.kind === 'question')
    return (
      <div className={styles.actions}>
        {ask.multiple
          ? null
          : ask.options.slice(0, MAX_OPTIONS).map(({ label }) => (
              <Button
                key={label}
                disabled={decide.isBusy}
                onClick={() => decide.send({ kind: 'options', labels: [label] })}
              >
                <span className={styles.option}>{visibleLine(label)}</span>
              </Button>
            ))}
        <Open label={t('decide.answer')} route={route} />
      </div>
    )
  // An edit is judged by its diff, and that has no room here.
  const needsRoom = ask.kind === 'permission' && ask.diff !== undefined && ask.diff !== ''
  return (
    <div className={styles.actions}>
      {needsRoom ? null : <ApproveButton ticket={ticket} decide={decide} isBlocked={isBlocked} />}
      <Button
        look={isDangerous(ticket) ? 'plain' : 'danger'}
        disabled={decide.isBusy}
        onClick={() => setDenying(true)}
      >
        {t('tray.deny')}
      </Button>
      <Open label={t('decide.open')} route={route} />
      {isBlocked ? <small className={styles.hint}>{t('ticket.seeFirst')}</small> : null}
    </div>
  )
}

function Open({ label, route }: { label: string; route: string }) {
  return <Button onClick={() => openInDesk(route)}>{label}</Button>
}
