import { Check, Circle, CircleDashed, CircleDot, X } from 'lucide-react'
import type { InstallStep } from '../../shared/ipc/host-calls.ts'
import { visibleText } from '../../shared/domain/visible.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { errorWords } from '../ui/error-words.ts'
import styles from './InstallSteps.module.css'

const ICONS = { waiting: Circle, running: CircleDot, done: Check, failed: X, skipped: CircleDashed } as const

/** The steps of an installation, each with what it found and how to run it again. */
export function InstallSteps({
  steps,
  onAgain,
}: {
  steps: readonly InstallStep[]
  onAgain: ((from: InstallStep['id']) => void) | undefined
}) {
  const { t } = useText()
  return (
    <ol className={styles.steps} aria-label={t('hosts.steps')}>
      {steps.map((step) => {
        const Icon = ICONS[step.state]
        return (
          <li key={step.id} className={styles[step.state]}>
            <Icon size={14} role="img" aria-label={t(`hosts.stepState.${step.state}`)} />
            <div>
              <span>{t(`hosts.step.${step.id}`)}</span>
              {step.found === undefined ? null : (
                <small>{visibleText(t(`hosts.found.${step.found.kind}`, step.found.values))}</small>
              )}
              {step.error === undefined ? null : <Failure error={step.error} />}
              {step.state === 'failed' && onAgain !== undefined ? (
                <Button size="small" onClick={() => onAgain(step.id)}>
                  {t('hosts.installAgain')}
                </Button>
              ) : null}
            </div>
            {step.tookMs === undefined ? null : (
              <time>{t('hosts.took', { seconds: Math.max(0.1, step.tookMs / 1_000).toFixed(1) })}</time>
            )}
          </li>
        )
      })}
    </ol>
  )
}

/** Why a step failed and what to do; in another language than English the exact words too, which name what was met. */
function Failure({ error }: { error: NonNullable<InstallStep['error']> }) {
  const { t } = useText()
  const { sentence, hint, details } = errorWords(error, t)
  return (
    <>
      <small>{sentence}</small>
      {hint === undefined ? null : <p>{hint}</p>}
      {details === undefined ? null : (
        <details open>
          <summary>{t('common.details')}</summary>
          <p>{details}</p>
        </details>
      )}
    </>
  )
}
