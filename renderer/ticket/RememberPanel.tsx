import { useId, useState } from 'react'
import type { RuleScope } from '../../shared/domain/ticket.ts'
import { useCall } from '../bridge/use-call.ts'
import { useHostLabel } from '../app/host-words.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import { useShortcut } from '../ui/shortcuts.ts'
import { visibleLine, visibleText } from '../../shared/domain/visible.ts'
import type { TicketView } from './TicketCard.tsx'
import styles from './TicketCard.module.css'
import type { Decide } from './use-decide.ts'

/** Shows the exact rule that would be saved and how far it reaches, before it is. */
export function RememberPanel({
  view,
  decide,
  onClose,
}: {
  view: TicketView
  decide: Decide
  onClose: () => void
}) {
  const { t } = useText()
  const [scope, setScope] = useState<RuleScope>('task')
  const preview = useCall('ticket.rulePreview', { host: view.host, ticketId: view.ticket.id })
  const pattern = preview.data?.pattern
  const save = () => {
    if (pattern !== undefined) decide.send({ kind: 'approve', remember: { scope, pattern } })
  }
  useShortcut(
    'mod+enter',
    pattern === undefined || decide.isBusy ? undefined : (event) => event.repeat || save(),
  )
  useShortcut('escape', onClose, { whileTyping: true })
  return (
    <div className={styles.panel} data-panel role="group" aria-label={t('ticket.rememberTitle')}>
      <strong>{t('ticket.rememberTitle')}</strong>
      {preview.error === undefined ? null : <ErrorNote error={preview.error} onRetry={preview.reload} />}
      {preview.data === undefined && preview.error === undefined ? <p>{t('common.loading')}</p> : null}
      {preview.data !== undefined && pattern === undefined ? (
        <p>
          {t('ticket.rememberNone')} {visibleText(preview.data.why ?? '')}
        </p>
      ) : null}
      {pattern === undefined ? null : (
        <>
          <code className={styles.rule}>{visibleText(pattern)}</code>
          <p>{t(pattern.endsWith(' *') ? 'ticket.rememberOpen' : 'ticket.rememberExact')}</p>
          <ScopeChoice view={view} scope={scope} onScope={setScope} />
        </>
      )}
      <div className={styles.panelEnd}>
        <Button look="quiet" shortcut="escape" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        {pattern === undefined ? null : (
          <Button look="primary" shortcut="mod+enter" busy={decide.isBusy} onClick={save}>
            {t('ticket.rememberSave')}
          </Button>
        )}
      </div>
    </div>
  )
}

function ScopeChoice({
  view,
  scope,
  onScope,
}: {
  view: TicketView
  scope: RuleScope
  onScope: (scope: RuleScope) => void
}) {
  const { t } = useText()
  const name = useId()
  const host = useHostLabel(view.host)
  const notes: Record<RuleScope, { title: string; text: string }> = {
    task: { title: t('ticket.rememberTask'), text: t('ticket.rememberTaskText') },
    repo: {
      title: t('ticket.rememberRepo'),
      text: t('ticket.rememberRepoText', { repo: visibleLine(view.task.repo.name), host }),
    },
  }
  return (
    <fieldset className={styles.options}>
      <legend className="visually-hidden">{t('ticket.rememberScope')}</legend>
      {(['task', 'repo'] as const).map((one) => (
        <label key={one} className={styles.option}>
          <input
            type="radio"
            name={name}
            checked={scope === one}
            // Where the person goes on after pressing the button that is gone now.
            autoFocus={scope === one}
            onChange={() => onScope(one)}
          />
          <span>
            {notes[one].title}
            <small>{notes[one].text}</small>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
