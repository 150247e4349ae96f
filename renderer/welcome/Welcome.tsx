import { useHosts } from '../bridge/desk-store.ts'
import { useCall } from '../bridge/use-call.ts'
import { useText, type Translate } from '../i18n/i18n.ts'
import { openNewTask, setOverlay } from '../palette/open.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import { visibleLine } from '../../shared/domain/visible.ts'
import { startDemo, type DemoState } from './demo.ts'
import styles from './Welcome.module.css'

/** The first start: what this is, and one button that shows it. */
export function Welcome({ demo }: { demo: DemoState }) {
  const { t } = useText()
  const isUnderWay = demo.kind === 'starting' || demo.kind === 'waiting'
  return (
    <div className={styles.hero}>
      <h1>{t('welcome.title')}</h1>
      <p>{t('welcome.text')}</p>
      <div className={styles.actions}>
        <Button look="primary" busy={isUnderWay} onClick={() => startDemo()}>
          {t('welcome.demo')}
        </Button>
        <Button onClick={openNewTask}>{t('welcome.newTask')}</Button>
        <Button onClick={() => setOverlay('add_host')}>{t('welcome.addHost')}</Button>
      </div>
      <div className={styles.state} role="status">
        {isUnderWay ? (
          <>
            <span className={styles.pulse} aria-hidden="true" />
            {t(`welcome.${demo.kind}`)}
          </>
        ) : (
          <Found />
        )}
      </div>
      {demo.kind === 'failed' ? <ErrorNote error={demo.error} onRetry={() => startDemo()} /> : null}
    </div>
  )
}

/** Which agents were found on this machine; nothing while it is not known. */
function Found() {
  const { t } = useText()
  const local = useHosts().find((host) => host.isLocal && host.state.kind === 'live')
  const { data } = useCall('host.executors', local === undefined ? undefined : { host: local.name })
  if (data === undefined) return null
  const agents = data.executors.filter(({ name, available }) => available && name !== 'demo')
  if (agents.length === 0) return <>{t('welcome.foundNone')}</>
  const names = agents.map(({ name, version }) => visibleLine([name, version].filter(Boolean).join(' ')))
  return <>{t('welcome.found', { names: joined(names, t), count: names.length })}</>
}

function joined(names: string[], t: Translate): string {
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : t('welcome.and', { first: names.slice(0, -1).join(', '), last })
}
