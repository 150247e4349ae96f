import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react'
import { useId, useState } from 'react'
import type { Task } from '../../shared/domain/task.ts'
import { taskRoute } from '../../shared/ipc/routes.ts'
import { navigate } from '../app/navigation.ts'
import { call } from '../bridge/bridge.ts'
import { touches, useCall } from '../bridge/use-call.ts'
import { useText, type Translate } from '../i18n/i18n.ts'
import cardStyles from '../ticket/TicketCard.module.css'
import { announce } from '../ui/announce.tsx'
import { Button } from '../ui/Button.tsx'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import { clockTime, useNow } from '../ui/time.ts'
import { hostSentence } from '../ui/host-sentences.ts'
import { useAction } from '../ui/use-action.ts'
import { visibleLine, visibleText } from '../../shared/domain/visible.ts'

/** What is wrong with a task, since when, and what can be done about it. */
export function TroubleCard({ host, taskId }: { host: string; taskId: string }) {
  const { t, language } = useText()
  const now = useNow()
  const headingId = useId()
  const { data, error, reload } = useCall('task.get', { host, taskId }, { refreshOn: touches(host, taskId) })
  if (data === undefined) return error === undefined ? null : <ErrorNote error={error} onRetry={reload} />
  const { task } = data
  const { kind, text } = troubleOf(task, (at) => clockTime(at, now, language), t)
  const Icon = kind === 'failed' ? CircleX : kind === 'fine' ? CircleCheck : TriangleAlert
  const tone = {
    failed: cardStyles.dangerIcon,
    fine: cardStyles.okIcon,
    offline: cardStyles.warnIcon,
    stalled: cardStyles.warnIcon,
  }
  return (
    <section className={cardStyles.card} aria-labelledby={headingId} tabIndex={-1}>
      <header className={cardStyles.head}>
        <Icon size={16} strokeWidth={1.75} className={tone[kind]} aria-hidden="true" />
        <h2 id={headingId}>{t(`inbox.trouble.${kind}`)}</h2>
      </header>
      <div className={cardStyles.why}>
        <p>{text}</p>
      </div>
      {kind === 'failed' && task.endReason !== undefined ? (
        <div className={cardStyles.summary}>{visibleText(task.endReason)}</div>
      ) : null}
      <TroubleActions host={host} task={task} canMend={kind === 'offline' || kind === 'stalled'} />
    </section>
  )
}

function TroubleActions({ host, task, canMend }: { host: string; task: Task; canMend: boolean }) {
  const { t } = useText()
  const at = { host, taskId: task.id }
  const [isAsking, setAsking] = useState(false)
  const [outcome, setOutcome] = useState<string>()
  const repair = useAction(async () => {
    const made = await call('task.repair', at)
    setOutcome(made.outcome)
    announce(hostSentence(made.outcome, t))
  })
  const cancel = useAction(() => call('task.cancel', at))
  const error = repair.error ?? cancel.error
  return (
    <>
      {error === undefined ? null : <ErrorNote error={error} />}
      {outcome === undefined ? null : <p className={cardStyles.said}>{hostSentence(outcome, t)}</p>}
      {isAsking ? (
        <div className={cardStyles.panel}>
          <p>{t('inbox.trouble.cancelSure')}</p>
          <div className={cardStyles.panelEnd}>
            <Button onClick={() => setAsking(false)}>{t('inbox.trouble.cancelNo')}</Button>
            <Button look="danger" busy={cancel.isBusy} onClick={cancel.run}>
              {t('inbox.trouble.cancelYes')}
            </Button>
          </div>
        </div>
      ) : (
        <div className={cardStyles.actions}>
          {canMend ? (
            <Button look="primary" busy={repair.isBusy} onClick={repair.run}>
              {t('inbox.trouble.repair')}
            </Button>
          ) : null}
          <Button onClick={() => navigate(taskRoute(host, task.id))}>{t('ticket.openTask')}</Button>
          <span className={cardStyles.space} />
          {canMend ? (
            <Button look="danger" onClick={() => setAsking(true)}>
              {t('inbox.trouble.cancel')}
            </Button>
          ) : null}
        </div>
      )}
      {canMend && !isAsking ? <p className={cardStyles.said}>{t('inbox.trouble.repairText')}</p> : null}
    </>
  )
}

function troubleOf(
  task: Task,
  clock: (at: number) => string,
  t: Translate,
): { kind: 'offline' | 'stalled' | 'failed' | 'fine'; text: string } {
  const executor = visibleLine(task.executor)
  if (task.state === 'failed')
    return {
      kind: 'failed',
      text: t('inbox.trouble.failedText', { time: clock(task.endedAt ?? task.updatedAt) }),
    }
  if (task.offlineSince !== undefined)
    return {
      kind: 'offline',
      text: t('inbox.trouble.offlineText', { executor, time: clock(task.offlineSince) }),
    }
  if (task.stalledSince !== undefined)
    return {
      kind: 'stalled',
      text: t('inbox.trouble.stalledText', { executor, time: clock(task.stalledSince) }),
    }
  return { kind: 'fine', text: t('inbox.trouble.fineText') }
}
