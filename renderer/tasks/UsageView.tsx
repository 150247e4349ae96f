import type { IpcOutput } from '../../shared/ipc.ts'
import { useText } from '../i18n/i18n.ts'
import { useNow } from '../ui/time.ts'
import { usageOf } from './usage.ts'
import styles from './UsageView.module.css'

/** What the task has used so far, as far as its executor reports it. */
export function UsageView({ detail }: { detail: IpcOutput<'task.get'> | undefined }) {
  const { t, language } = useText()
  const now = useNow()
  if (detail === undefined) return null
  const { task, events } = detail
  const usage = usageOf(events)
  // The host answers with the newest events only, and clears old ones away.
  const isWhole = events[0]?.type === 'dispatched'
  const number = new Intl.NumberFormat(language === 'zh' ? 'zh-CN' : language)
  const minutes = Math.max(0, Math.round(((task.endedAt ?? now) - task.createdAt) / 60_000))
  const figures: [string, string][] = [
    [
      t('tasks.usage.time'),
      minutes < 60
        ? t('common.minutes', { count: minutes })
        : t('common.hours', { count: Math.floor(minutes / 60) }),
    ],
    [t('tasks.usage.rounds'), number.format(task.round)],
  ]
  if (usage !== undefined)
    figures.push(
      [t('tasks.usage.in'), number.format(usage.tokensIn)],
      [t('tasks.usage.cached'), number.format(usage.tokensCached)],
      [t('tasks.usage.out'), number.format(usage.tokensOut)],
    )
  if (usage?.costUsd !== undefined) figures.push([t('tasks.usage.cost'), `$${usage.costUsd.toFixed(4)}`])
  return (
    <div className={styles.usage}>
      <dl>
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p>{usage === undefined ? t('tasks.usage.none') : t('tasks.usage.note')}</p>
      {usage === undefined || isWhole ? null : <p>{t('tasks.usage.partly')}</p>}
    </div>
  )
}
