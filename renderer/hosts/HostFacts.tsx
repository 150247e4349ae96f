import type { HostView } from '../../shared/ipc/views.ts'
import { visibleLine } from '../../shared/domain/visible.ts'
import { useCall } from '../bridge/use-call.ts'
import { useText } from '../i18n/i18n.ts'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import { hostSentence } from '../ui/host-sentences.ts'
import { Tag } from '../ui/Tag.tsx'
import { fullTime } from '../ui/time.ts'
import { executorProblem } from './executor-words.ts'
import styles from './HostPage.module.css'

/** What a host says of itself: its agents, programs and places. Asked when it is live. */
export function HostFacts({ host }: { host: HostView }) {
  const { t, language } = useText()
  const isLive = host.state.kind === 'live' || host.state.kind === 'catching_up'
  const { data, error, reload } = useCall('host.info', isLive ? { host: host.name } : undefined)
  if (data === undefined) return error === undefined ? null : <ErrorNote error={error} onRetry={reload} />
  const facts: [string, string | undefined][] = [
    [t('hosts.machine'), data.name],
    [t('hosts.version'), data.version],
    [t('hosts.node'), data.node],
    [t('hosts.tmux'), bare(data.tmux)],
    [t('hosts.git'), bare(data.git)],
    [t('hosts.home'), data.home],
    [t('hosts.started'), fullTime(data.startedAt, language)],
    [t('hosts.database'), bytes(data.databaseBytes)],
    [t('hosts.listening'), data.listening.join(', ')],
    [t('hosts.proxies'), data.proxies.join(', ')],
  ]
  return (
    <>
      <div className={styles.section}>
        <h3>{t('hosts.executors')}</h3>
        {data.executors.length === 0 ? <p>{t('hosts.noExecutors')}</p> : null}
        <ul className={styles.executors}>
          {data.executors.map((executor) => (
            <li key={executor.name}>
              <b>{visibleLine(executor.name)}</b> {visibleLine(executor.version ?? '')}
              <Tag tone={executor.available ? 'ok' : 'neutral'}>
                {executor.available ? t('hosts.usable') : t('hosts.unusable')}
              </Tag>
              {[executorProblem(executor, t), ...executor.notes.map((note) => hostSentence(note, t))]
                .filter(Boolean)
                .map((note) => (
                  <small key={note} title={executor.problem}>
                    {visibleLine(note ?? '')}
                  </small>
                ))}
            </li>
          ))}
        </ul>
      </div>
      <div className={styles.section}>
        <h3>{t('hosts.facts')}</h3>
        <dl className={styles.facts}>
          {facts.map(([name, value]) =>
            value === undefined || value === '' ? null : (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{visibleLine(value)}</dd>
              </div>
            ),
          )}
        </dl>
      </div>
    </>
  )
}

/** A version without the words that programs put before it. */
function bare(version: string | undefined): string | undefined {
  return version?.replace(/^\D+(?=\d)/, '')
}

function bytes(count: number): string {
  const mebibytes = count / 1_048_576
  return mebibytes < 10 ? `${mebibytes.toFixed(1)} MiB` : `${Math.round(mebibytes)} MiB`
}
