import { useState } from 'react'
import type { AppError } from '../../shared/errors.ts'
import { call } from '../bridge/bridge.ts'
import { useDesk } from '../bridge/desk-store.ts'
import { asAppError, useCall } from '../bridge/use-call.ts'
import { useText } from '../i18n/i18n.ts'
import { answerWords } from '../tasks/event-words.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import { errorWords } from '../ui/error-words.ts'
import { Tag } from '../ui/Tag.tsx'
import { fullTime } from '../ui/time.ts'
import { Group } from './Rows.tsx'
import { browserWords } from './browser-words.ts'
import styles from './Settings.module.css'

const PLATFORMS: Record<string, string> = { darwin: 'macOS', linux: 'Linux', win32: 'Windows' }

/** The command, the signed-in browsers, what waits to be sent, the log and the versions. */
export function AdvancedSection() {
  const { t } = useText()
  const desk = useDesk((state) => state)
  const [error, setError] = useState<AppError>()
  const fail = (reason: unknown) => setError(asAppError(reason))
  const shell = t(
    desk.shell === 'electron' ? 'settings.advanced.shellElectron' : 'settings.advanced.shellBrowser',
  )
  return (
    <>
      {error === undefined ? null : <ErrorNote error={error} />}
      {desk.can.installCommand ? <CommandRow onFail={fail} /> : null}
      <OutboxList onFail={fail} />
      {desk.can.browserSessions ? <SessionList onFail={fail} /> : null}
      <Group>
        <div className={styles.row}>
          <span className={styles.label}>{t('settings.advanced.logs')}</span>
          <LogPath onFail={fail} />
        </div>
        <div className={styles.row}>
          <span className={styles.label}>
            {t('settings.advanced.version')}
            <small>
              {t('settings.advanced.versions', {
                version: desk.version,
                shell,
                platform: PLATFORMS[desk.platform] ?? desk.platform,
              })}
            </small>
            <small>{t('settings.advanced.telemetry')}</small>
          </span>
        </div>
      </Group>
    </>
  )
}

type OnFail = { onFail: (reason: unknown) => void }

function CommandRow({ onFail }: OnFail) {
  const { t } = useText()
  const { data, reload } = useCall('command.status', {})
  const [hint, setHint] = useState('')
  if (data === undefined) return null
  const state = data.installed
    ? t('settings.advanced.commandInstalled', { path: data.path })
    : t('settings.advanced.commandMissing')
  return (
    <Group>
      <div className={styles.row}>
        <span className={styles.label}>
          {t('settings.advanced.command')}
          <small>{t('settings.advanced.commandNote')}</small>
          <small>{state}</small>
          {data.installed && !data.onPath ? (
            <small>{t('settings.advanced.commandNotOnPath', { path: data.path })}</small>
          ) : null}
          {hint === '' ? null : <small>{hint}</small>}
        </span>
        {data.installed ? (
          <Button onClick={() => void call('command.remove', {}).then(reload, onFail)}>
            {t('settings.advanced.removeCommand')}
          </Button>
        ) : (
          <Button
            onClick={() =>
              void call('command.install', {}).then((done) => (setHint(done.hint ?? ''), reload()), onFail)
            }
          >
            {t('settings.advanced.install')}
          </Button>
        )}
      </div>
    </Group>
  )
}

function LogPath({ onFail }: OnFail) {
  const { t } = useText()
  const [path, setPath] = useState('')
  return path === '' ? (
    <Button onClick={() => void call('open.logs', {}).then((log) => setPath(log.path), onFail)}>
      {t('settings.advanced.showLogs')}
    </Button>
  ) : (
    <code>{path}</code>
  )
}

function OutboxList({ onFail }: OnFail) {
  const { t, language } = useText()
  const { data, reload } = useCall('outbox.list', {}, { refreshOn: () => true })
  if (data === undefined || data.entries.length === 0) return null
  return (
    <>
      <h3 className={styles.subhead}>{t('settings.advanced.outbox')}</h3>
      <ul className={styles.rules}>
        {data.entries.map((entry) => (
          <li key={entry.id}>
            <div>
              {answerWords(entry.answer, t)}
              <small>
                {entry.host} · {fullTime(entry.createdAt, language)}
              </small>
              {entry.error === undefined ? null : <small>{errorWords(entry.error, t).sentence}</small>}
            </div>
            <Button onClick={() => void call('outbox.discard', { id: entry.id }).then(reload, onFail)}>
              {t('settings.advanced.discard')}
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}

function SessionList({ onFail }: OnFail) {
  const { t, language } = useText()
  const { data, reload } = useCall('session.list', {})
  return (
    <>
      <h3 className={styles.subhead}>{t('settings.advanced.sessions')}</h3>
      <ul className={styles.rules}>
        {data?.sessions.map((session) => (
          <li key={session.id}>
            <div>
              <span title={session.agent}>{browserWords(session.agent)}</span>{' '}
              {session.current ? <Tag tone="accent">{t('settings.advanced.current')}</Tag> : null}
              <small>{t('settings.advanced.seen', { time: fullTime(session.lastSeenAt, language) })}</small>
            </div>
            <Button onClick={() => void call('session.revoke', { id: session.id }).then(reload, onFail)}>
              {t('settings.advanced.revoke')}
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}
