import type { Translate } from '../i18n/i18n.ts'
import { useText } from '../i18n/i18n.ts'
import type { Task } from '../../shared/domain/task.ts'
import type { Ticket } from '../../shared/domain/ticket.ts'
import { visibleLine, visibleText } from '../../shared/domain/visible.ts'
import styles from './TicketCard.module.css'
import { actorName, isDangerous, isForPerson, riskWhy } from './ticket-words.ts'

/** Why this came to the person, and how the agent stands meanwhile. */
export function WhyLine({ ticket, task }: { ticket: Ticket; task: Task }) {
  const { t, language } = useText()
  const { ask } = ticket
  const isOpen = ticket.state === 'open'
  const subagent = ask.kind === 'review' ? undefined : ask.subagent
  const sentences = [
    ...(isDangerous(ticket) && ask.kind === 'permission' ? [riskWhy(ask.risk, t)] : []),
    ...(isOpen ? [whyYou(ticket, task, t)] : []),
    ...(isOpen && ask.kind === 'permission'
      ? [t(ask.action === 'edit' ? 'ticket.waitsEdit' : 'ticket.waits')]
      : []),
    ...(isOpen && ask.kind === 'question' ? [t('ticket.waitsQuestion')] : []),
  ]
  return (
    <div className={styles.why}>
      <p>{sentences.filter(Boolean).join(language === 'zh' ? '' : ' ')}</p>
      {subagent === undefined ? null : <p>{t('ticket.subagent', { name: visibleLine(subagent) })}</p>}
      {ask.kind === 'permission' && ask.description !== undefined ? (
        <p>{visibleText(ask.description)}</p>
      ) : null}
    </div>
  )
}

function whyYou(ticket: Ticket, task: Task, t: Translate): string {
  const { escalation, ask } = ticket
  if (escalation !== undefined) {
    const who = actorName(escalation.by, t)
    const why = visibleText(escalation.why).trim()
    return why === '' ? t('ticket.passedBare', { who }) : t('ticket.passed', { who, why })
  }
  if (isDangerous(ticket)) return t('ticket.onlyYou')
  if (ask.kind === 'review') return ''
  if (!isForPerson(ticket, task)) return t('ticket.forReviewer')
  return ask.kind === 'question' && ask.topic === 'product' ? t('ticket.yours') : t('ticket.forYou')
}
