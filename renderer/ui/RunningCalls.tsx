import { useHostLabels } from '../app/host-words.ts'
import { cancelJob } from '../bridge/bridge.ts'
import { useRunningCalls } from '../bridge/running-calls.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from './Button.tsx'
import styles from './RunningCalls.module.css'

/** Hosts that have not answered for more than a second, and a way not to wait for them. */
export function RunningCalls() {
  const { t } = useText()
  const running = useRunningCalls()
  const names = [...new Set(running.map(({ host }) => host))]
  const labelOf = useHostLabels()
  return names.map((name) => {
    const calls = running.filter(({ host }) => host === name)
    const isChange = calls.some((one) => one.isChange)
    return (
      <div key={name} className={styles.line} role="status">
        <span>{t(isChange ? 'common.waitingChange' : 'common.waiting', { host: labelOf(name) })}</span>
        <Button size="small" onClick={() => calls.forEach(({ jobId }) => cancelJob(jobId))}>
          {t('common.stopWaiting')}
        </Button>
      </div>
    )
  })
}
