import { closedReasons } from '../../shared/domain/closed-reasons.ts'
import { isRiskReason } from '../../shared/domain/risk/reasons.ts'
import type { Actor } from '../../shared/domain/actor.ts'
import { isReviewedByPerson } from '../../shared/domain/deciding.ts'
import type { Task } from '../../shared/domain/task.ts'
import type { Answer, Ticket } from '../../shared/domain/ticket.ts'
import { deskNow } from '../bridge/desk-store.ts'
import type { Translate } from '../i18n/i18n.ts'
import { visibleLine, visibleText } from '../../shared/domain/visible.ts'

/** A danger in two or three words, for a tag. A reason that this version does not know is still a danger. */
export function riskTag(reason: string | undefined, t: Translate): string {
  return isRiskReason(reason) ? t(`ticket.risk.${reason}`) : t('ticket.risk.unknown')
}

/** A danger as a sentence; the host's own English one for a reason that this version does not know. */
export function riskWhy(
  { reason, sentence }: { reason?: string | undefined; sentence?: string | undefined },
  t: Translate,
): string {
  if (isRiskReason(reason)) return t(`ticket.why.${reason}`)
  return sentence === undefined ? t('ticket.why.unknown') : visibleText(sentence)
}

/** Who did something. What this desk did, the person did. */
export function actorName(actor: Actor, t: Translate): string {
  switch (actor.kind) {
    case 'rule':
      return t('ticket.who.rule')
    case 'agentd':
      return t('ticket.who.agentd')
    case 'client':
      return isThisDesk(actor) ? t('ticket.who.you') : visibleLine(actor.name)
  }
}

/** The same in the middle of a sentence. */
export function byWords(actor: Actor, t: Translate): string {
  return actor.kind === 'client' && isThisDesk(actor) ? t('ticket.who.byYou') : actorName(actor, t)
}

/** agentd puts the token's id before the name under which a client with a token calls itself. */
function isThisDesk({ clientId, clientKind }: Extract<Actor, { kind: 'client' }>): boolean {
  const own = deskNow().clientId
  return own !== undefined && clientKind === 'desk' && (clientId === own || clientId.endsWith(`.${own}`))
}

/** What somebody answered, as one sentence. */
export function answerWords(answer: Answer, by: Actor | 'me', t: Translate): string {
  const who = by === 'me' ? t('ticket.who.you') : actorName(by, t)
  switch (answer.kind) {
    case 'approve':
      return answer.remember === undefined
        ? t('ticket.did.approve', { who })
        : t('ticket.did.remember', { who, pattern: visibleLine(answer.remember.pattern) })
    case 'deny':
      return t(answer.stop ? 'ticket.did.stop' : 'ticket.did.deny', { who })
    case 'options':
      return t('ticket.did.options', { who, labels: answer.labels.map(visibleLine).join(', ') })
    case 'text':
    case 'continue':
    case 'done':
      return t(`ticket.did.${answer.kind}`, { who })
  }
}

/** What was said with an answer; undefined when nothing was. */
export function answerText(answer: Answer): string | undefined {
  const text = answer.kind === 'deny' ? answer.message : 'text' in answer ? answer.text : undefined
  return text === undefined || text === '' ? undefined : visibleText(text)
}

/** Whether approving it needs a second thought. */
export function isDangerous({ ask }: Ticket): boolean {
  return ask.kind === 'permission' && ask.risk.level === 'dangerous'
}

/** Whether a ticket waits for the person: it is only theirs, or nobody else reviews its task. */
export function isForPerson(ticket: Ticket, task: Task): boolean {
  return ticket.audience === 'user' || isReviewedByPerson(task)
}

/** What a ticket is about, as a heading. */
export function headingOf({ ask }: Ticket, t: Translate): string {
  return ask.kind === 'permission' ? t(`ticket.what.${ask.action}`) : t(`ticket.what.${ask.kind}`)
}

/** What is asked for, in a line of its own: an edit is named by its file alone, which says nothing about what is wanted. */
export function askedWords(kind: string, text: string, t: Translate): string {
  return kind === 'edit' ? t('ticket.edits', { path: text }) : text
}

/** Why nobody waits any more: in the window's language where the host's sentence is one of ours, else as it was told. */
export function closedWords(reason: string, t: Translate): string {
  for (const [name, sentence] of Object.entries(closedReasons) as [keyof typeof closedReasons, string][])
    if (sentence === reason) return t(`ticket.closed.${name}`)
  return visibleText(reason)
}
