import { TriangleAlert } from 'lucide-react'
import type { WireError } from '../../shared/errors.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from './Button.tsx'
import { Coded } from './Coded.tsx'
import { errorWords } from './error-words.ts'
import styles from './ErrorNote.module.css'

/** An error that a person can act on: what happened, what to do, and again. */
export function ErrorNote({
  error,
  onRetry,
}: {
  error: Pick<WireError, 'code' | 'message'> & { hint?: string | undefined }
  onRetry?: () => void
}) {
  const { t } = useText()
  const { sentence, hint, details } = errorWords(error, t)
  return (
    <div className={styles.note} role="alert" data-code={error.code}>
      <TriangleAlert size={15} aria-hidden="true" />
      <div className={styles.words}>
        <p>
          <Coded text={sentence} />
        </p>
        {hint === undefined ? null : (
          <p className={styles.hint}>
            <Coded text={hint} />
          </p>
        )}
        {details === undefined ? null : (
          // Without a hint they are all that tells what to do.
          <details className={styles.details} open={hint === undefined}>
            <summary>{t('common.details')}</summary>
            <p className={styles.hint}>
              <Coded text={details} />
            </p>
          </details>
        )}
      </div>
      {onRetry === undefined ? null : (
        <Button size="small" onClick={onRetry}>
          {t('common.retry')}
        </Button>
      )}
    </div>
  )
}
