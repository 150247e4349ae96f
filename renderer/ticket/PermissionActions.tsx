import { useState } from 'react'
import type { Ticket } from '../../shared/domain/ticket.ts'
import type { TicketView } from './TicketCard.tsx'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { useShortcut } from '../ui/shortcuts.ts'
import { unlessCovered } from './covered.ts'
import { DenyPanel } from './DenyPanel.tsx'
import { HoldButton } from './HoldButton.tsx'
import { RememberPanel } from './RememberPanel.tsx'
import styles from './TicketCard.module.css'
import { isDangerous } from './ticket-words.ts'
import type { Decide } from './use-decide.ts'

/** Approve, remember or deny. `isBlocked`: part of what is decided was never on the screen. */
export function PermissionActions({
  view,
  decide,
  isBlocked,
}: {
  view: TicketView
  decide: Decide
  isBlocked: boolean
}) {
  const { t } = useText()
  const [open, setOpen] = useState<'deny' | 'remember'>()
  const { ticket } = view
  const close = () => setOpen(undefined)
  useShortcut(
    'mod+backspace',
    open === undefined && !decide.isBusy ? unlessCovered(() => setOpen('deny')) : undefined,
    {
      whileTyping: false,
    },
  )
  if (open === 'deny') return <DenyPanel decide={decide} onClose={close} />
  if (open === 'remember') return <RememberPanel view={view} decide={decide} onClose={close} />
  return (
    <>
      <div className={styles.actions}>
        <ApproveButton ticket={ticket} decide={decide} isBlocked={isBlocked} shortcut="mod+enter" />
        {isDangerous(ticket) ? null : (
          <Button disabled={decide.isBusy || isBlocked} onClick={() => setOpen('remember')}>
            {t('ticket.remember')}
          </Button>
        )}
        <span className={styles.space} />
        <Button
          // Of what is dangerous, only approving is: two red buttons would look alike.
          look={isDangerous(ticket) ? 'plain' : 'danger'}
          shortcut="mod+backspace"
          disabled={decide.isBusy}
          onClick={() => setOpen('deny')}
        >
          <span className={styles.wide}>{t('ticket.deny')}</span>
          <span className={styles.narrow}>{t('tray.deny')}</span>
        </Button>
      </div>
      {isBlocked ? <p className={styles.hint}>{t('ticket.seeFirst')}</p> : null}
    </>
  )
}

/** Approves once; what is dangerous is held or clicked twice. */
export function ApproveButton({
  ticket,
  decide,
  isBlocked,
  shortcut,
}: {
  ticket: Ticket
  decide: Decide
  isBlocked: boolean
  shortcut?: string
}) {
  const approve = () => decide.send({ kind: 'approve' })
  const common = { disabled: isBlocked, busy: decide.isBusy, ...(shortcut === undefined ? {} : { shortcut }) }
  return isDangerous(ticket) ? (
    <HoldButton {...common} onDone={approve} />
  ) : (
    <PlainApprove {...common} onDone={approve} />
  )
}

function PlainApprove({
  onDone,
  disabled,
  busy,
  shortcut,
}: {
  onDone: () => void
  disabled: boolean
  busy: boolean
  shortcut?: string
}) {
  const { t } = useText()
  const isBound = shortcut !== undefined && !disabled && !busy
  // A key that is still down from the ticket before must not decide this one.
  const byKey = unlessCovered((event) => event.repeat || onDone())
  useShortcut(shortcut ?? 'mod+enter', isBound ? byKey : undefined, { whileTyping: false })
  return (
    <Button
      look="primary"
      disabled={disabled}
      busy={busy}
      {...(shortcut === undefined ? {} : { shortcut })}
      onClick={onDone}
    >
      {busy ? t('ticket.sending') : t('decide.approve')}
    </Button>
  )
}
