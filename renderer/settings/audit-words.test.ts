import { expect, it } from 'vitest'
import type { AuditEntry } from '../../shared/protocol/records.ts'
import type { Translate } from '../i18n/i18n.ts'
import { detailWords, subjectWords } from './audit-words.ts'

const t = ((key: string, values: object) => `${key} ${JSON.stringify(values)}`) as Translate
const entry = (decision: string, text: string, detail?: string): AuditEntry => ({
  id: 1,
  at: 0,
  by: { kind: 'agentd' },
  decision,
  text,
  ...(detail === undefined ? {} : { detail }),
})

it('says the sentences of a host in words of the window, and only those', () => {
  const text = 'A token "Desk on vm" with the role user'
  expect(subjectWords(entry('token.create', text), t)).toBe(
    'settings.audit.token {"name":"Desk on vm","role":"user"}',
  )
  expect(subjectWords(entry('approve', text), t)).toBe(text)
})

it('tells a rule’s reach and pattern, leaves out what the decision says already, and keeps what a person wrote', () => {
  expect(detailWords(entry('rule.create', 'npm test', 'repo: npm test *'), t)).toBe(
    'settings.audit.ruleRepo {"pattern":"npm test *"}',
  )
  expect(detailWords(entry('approve', 'npm test', 'approved'), t)).toBeUndefined()
  expect(detailWords(entry('answer', 'Which?', 'approved'), t)).toBe('approved')
})
