import { lazy, Suspense } from 'react'
import type { IpcOutput } from '../../shared/ipc.ts'
import { useHostLabel } from '../app/host-words.ts'
import { useText } from '../i18n/i18n.ts'
import { CopyButton } from '../ui/CopyButton.tsx'
import { fullTime } from '../ui/time.ts'
import styles from './PlanView.module.css'
import { actorName } from '../ticket/ticket-words.ts'

const loadMarkdown = () => import('../ui/Markdown.tsx')
const Markdown = lazy(() => loadMarkdown().then((m) => ({ default: m.Markdown })))

/** Fetches what draws a plan before somebody opens one; what goes wrong is seen when the plan is opened. */
export function prepareMarkdown(): void {
  loadMarkdown().catch(() => undefined)
}

/** The plan that was handed over, and the facts about where it is carried out. */
export function PlanView({ host, detail }: { host: string; detail: IpcOutput<'task.get'> | undefined }) {
  const { t, language } = useText()
  const place = useHostLabel(host)
  if (detail === undefined) return null
  const { task, plan } = detail
  const facts: [string, string | undefined][] = [
    [t('tasks.details.executor'), task.executor],
    [t('tasks.details.repo'), task.repo.path],
    [t('tasks.details.worktree'), task.worktree],
    [t('tasks.details.branch'), task.branch],
    [t('tasks.details.base'), task.base.slice(0, 12)],
    [t('tasks.details.head'), task.head?.slice(0, 12)],
    [t('tasks.details.session'), task.session],
    [t('tasks.details.created'), fullTime(task.createdAt, language)],
    [t('tasks.details.ended'), task.endedAt === undefined ? undefined : fullTime(task.endedAt, language)],
    [t('tasks.details.by'), actorName(task.dispatchedBy, t)],
  ]
  return (
    <div className={styles.plan}>
      <div className={styles.text}>
        {plan === undefined ? (
          <p className={styles.none}>{t('tasks.plan.none', { host: place })}</p>
        ) : (
          <>
            <span className={styles.copy}>
              <CopyButton text={plan} what={t('tasks.plan.copy')} />
            </span>
            <Suspense fallback={<div className={styles.drawing} aria-busy="true" />}>
              <Markdown text={plan} />
            </Suspense>
          </>
        )}
      </div>
      <dl className={styles.facts} aria-label={t('tasks.details.label')}>
        {facts.map(([name, value]) =>
          value === undefined || value === '' ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd title={value}>{value}</dd>
            </div>
          ),
        )}
      </dl>
    </div>
  )
}
