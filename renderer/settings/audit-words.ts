import type { AuditEntry } from '../../shared/protocol/records.ts'
import { visibleText } from '../../shared/domain/visible.ts'
import type { MessageKey, Translate } from '../i18n/i18n.ts'

const DECISIONS: Readonly<Record<string, MessageKey>> = {
  approve: 'settings.audit.decision.approve',
  deny: 'settings.audit.decision.deny',
  answer: 'settings.audit.decision.answer',
  continue: 'settings.audit.decision.continue',
  done: 'settings.audit.decision.done',
  cancel: 'settings.audit.decision.cancel',
  dispatch: 'settings.audit.decision.dispatch',
  escalate: 'settings.audit.decision.escalate',
  repair: 'settings.audit.decision.repair',
  note: 'settings.audit.decision.note',
  run: 'settings.audit.decision.run',
  'rule.create': 'settings.audit.decision.rule_create',
  'rule.revoke': 'settings.audit.decision.rule_revoke',
  'token.create': 'settings.audit.decision.token_create',
  'token.revoke': 'settings.audit.decision.token_revoke',
}

/** A decision in words; one that this version does not know keeps its code. */
export function decisionWords(decision: string, t: Translate): string {
  const key = Object.hasOwn(DECISIONS, decision) ? DECISIONS[decision] : undefined
  return key === undefined ? decision : t(key)
}

/** What was decided on: the kept text, or words where it is a sentence of the host's own. */
export function subjectWords({ decision, text }: AuditEntry, t: Translate): string {
  const token = decision.startsWith('token.') ? /^A token "(.*)" with the role (\w+)$/s.exec(text) : null
  if (token === null) return visibleText(text)
  const [, name = '', role = ''] = token
  return t('settings.audit.token', { name: visibleText(name), role })
}

/** What else is kept of a decision; undefined where it only says the decision again. */
export function detailWords({ decision, detail }: AuditEntry, t: Translate): string | undefined {
  if (detail === undefined || detail === '') return undefined
  if ((decision === 'approve' && detail === 'approved') || (decision === 'done' && detail === 'done'))
    return undefined
  const rule = decision === 'rule.create' ? /^(task|repo): (.*)$/s.exec(detail) : null
  if (rule === null) return visibleText(detail)
  return t(rule[1] === 'task' ? 'settings.audit.ruleTask' : 'settings.audit.ruleRepo', {
    pattern: visibleText(rule[2] ?? ''),
  })
}
