import { useState } from 'react'
import type { IpcOutput } from '../../shared/ipc.ts'
import { visibleLine } from '../../shared/domain/visible.ts'
import { call } from '../bridge/bridge.ts'
import { useCall } from '../bridge/use-call.ts'
import { useText } from '../i18n/i18n.ts'
import { byWords } from '../ticket/ticket-words.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import { fullTime } from '../ui/time.ts'
import { useAction } from '../ui/use-action.ts'
import { HostChoice } from './HostChoice.tsx'
import styles from './Settings.module.css'

/** What was allowed for good: listed, explained, revocable. */
export function RulesSection() {
  const { t } = useText()
  const [host, setHost] = useState('local')
  const { data, error, reload } = useCall('rule.list', { host }, { refreshOn: () => true })
  return (
    <>
      <p className={styles.intro}>{t('settings.rules.text')}</p>
      <div className={styles.tools}>
        <HostChoice label={t('settings.rules.host')} value={host} onChange={setHost} />
      </div>
      {error === undefined ? null : <ErrorNote error={error} onRetry={reload} />}
      {data?.rules.length === 0 ? <p className={styles.empty}>{t('settings.rules.empty')}</p> : null}
      <ul className={styles.rules}>
        {data?.rules.map((rule) => (
          <RuleLine key={rule.id} host={host} rule={rule} onRevoked={reload} />
        ))}
      </ul>
    </>
  )
}

type Rule = IpcOutput<'rule.list'>['rules'][number]

function RuleLine({ host, rule, onRevoked }: { host: string; rule: Rule; onRevoked: () => void }) {
  const { t, language } = useText()
  const [isAsking, setAsking] = useState(false)
  const revoke = useAction(() => call('rule.revoke', { host, ruleId: rule.id }).then(onRevoked))
  const used =
    rule.hits === 0
      ? t('settings.rules.never')
      : [
          t('settings.rules.hits', { count: rule.hits }),
          rule.lastHitAt === undefined
            ? ''
            : t('settings.rules.last', { time: fullTime(rule.lastHitAt, language) }),
        ]
          .filter(Boolean)
          .join(', ')
  return (
    <li>
      <div>
        <code>{visibleLine(rule.pattern)}</code>
        <small>
          {rule.action === 'command'
            ? t('settings.rules.explainCommand')
            : t('settings.rules.explainOther', { action: rule.action })}
        </small>
        <small>
          {t(`settings.rules.${rule.scope}`)} · {visibleLine(rule.targetName ?? rule.target)} · {used}
        </small>
        <small>
          {t('settings.rules.madeBy', {
            by: byWords(rule.createdBy, t),
            time: fullTime(rule.createdAt, language),
          })}
        </small>
        {revoke.error === undefined ? null : <ErrorNote error={revoke.error} />}
      </div>
      {isAsking ? (
        <>
          <small>{t('settings.rules.revoking')}</small>
          <Button size="small" onClick={() => setAsking(false)}>
            {t('common.cancel')}
          </Button>
          <Button size="small" look="danger" onClick={() => revoke.run()}>
            {t('settings.rules.revoke')}
          </Button>
        </>
      ) : (
        <Button size="small" look="danger" onClick={() => setAsking(true)}>
          {t('settings.rules.revoke')}
        </Button>
      )}
    </li>
  )
}
