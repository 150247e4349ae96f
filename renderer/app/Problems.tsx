import { TriangleAlert } from 'lucide-react'
import { visibleLine } from '../../shared/domain/visible.ts'
import type { DeskProblem } from '../../shared/ipc/views.ts'
import { call } from '../bridge/bridge.ts'
import { tellFailure } from '../bridge/failures.ts'
import { useDesk } from '../bridge/desk-store.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/Button.tsx'
import styles from './Problems.module.css'

/** What is wrong with this computer, until somebody has repaired it: the file, why, and what to do. */
export function Problems() {
  const problems = useDesk((desk) => desk.problems)
  return problems.map((problem) => <Problem key={problem.kind} problem={problem} />)
}

function Problem({ problem: { kind, path, why } }: { problem: DeskProblem }) {
  const { t } = useText()
  return (
    <div className={styles.problem} role="alert">
      <TriangleAlert size={15} aria-hidden="true" />
      <div className={styles.words}>
        <p>
          {t(`app.problem.${kind}.text`)} <code>{visibleLine(path)}</code>
        </p>
        <p className={styles.why}>{visibleLine(why)}</p>
        <p className={styles.why}>{t(`app.problem.${kind}.hint`)}</p>
      </div>
      {kind === 'hosts_unreadable' ? (
        <Button size="small" onClick={() => void call('host.reload', {}).catch(tellFailure)}>
          {t('app.problem.readAgain')}
        </Button>
      ) : null}
    </div>
  )
}
