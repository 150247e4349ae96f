import { useState } from 'react'
import { call } from '../bridge/bridge.ts'
import { useDesk } from '../bridge/desk-store.ts'
import { useCall } from '../bridge/use-call.ts'
import { useText } from '../i18n/i18n.ts'
import { answerInFull } from '../tasks/event-words.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import { errorWords } from '../ui/error-words.ts'
import { Tag } from '../ui/Tag.tsx'
import { fullTime } from '../ui/time.ts'
import { useAction } from '../ui/use-action.ts'
import { Group } from './Rows.tsx'
import { browserWords } from './browser-words.ts'
import styles from './Settings.module.css'

const PLATFORMS: Record<string, string> = { darwin: 'macOS', linux: 'Linux', win32: 'Windows' }

/** The command, the signed-in browsers, what waits to be sent, the log and the versions. */
export function AdvancedSection() {
  const { t } = useText()
  const desk = useDesk((state) => state)
  const shell = t(
    desk.shell === 'electron' ? 'settings.advanced.shellElectron' : 'settings.advanced.shellBrowser',
  )
  return (
    <>
      {desk.can.installCommand ? <CommandRow /> : null}
      <OutboxList />
      {desk.can.browserSessions ? <SessionList /> : null}
      <Group>
        <LogRow />
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

function CommandRow() {
  const { t } = useText()
  const { data, reload } = useCall('command.status', {})
  const [hint, setHint] = useState('')
  const install = useAction(async () => {
    setHint((await call('command.install', {})).hint ?? '')
    reload()
  })
  const remove = useAction(() => call('command.remove', {}).then(reload))
  const error = install.error ?? remove.error
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
          <Button busy={remove.isBusy} onClick={remove.run}>
            {t('settings.advanced.removeCommand')}
          </Button>
        ) : (
          <Button busy={install.isBusy} onClick={install.run}>
            {t('settings.advanced.install')}
          </Button>
        )}
      </div>
      {error === undefined ? null : <ErrorNote error={error} />}
    </Group>
  )
}

function LogRow() {
  const { t } = useText()
  const [path, setPath] = useState('')
  const show = useAction(async () => setPath((await call('open.logs', {})).path))
  return (
    <>
      <div className={styles.row}>
        <span className={styles.label}>{t('settings.advanced.logs')}</span>
        {path === '' ? (
          <Button busy={show.isBusy} onClick={show.run}>
            {t('settings.advanced.showLogs')}
          </Button>
        ) : (
          <code>{path}</code>
        )}
      </div>
      {show.error === undefined ? null : <ErrorNote error={show.error} />}
    </>
  )
}

function OutboxList() {
  const { t, language } = useText()
  const { data, reload } = useCall('outbox.list', {}, { refreshOn: () => true })
  const discard = useAction((id: string) => call('outbox.discard', { id }).then(reload))
  if (data === undefined || data.entries.length === 0) return null
  return (
    <>
      <h3 className={styles.subhead}>{t('settings.advanced.outbox')}</h3>
      {discard.error === undefined ? null : <ErrorNote error={discard.error} />}
      <ul className={styles.rules}>
        {data.entries.map((entry) => (
          <li key={entry.id}>
            <div>
              {answerInFull(entry.answer, t)}
              <small>
                {entry.host} · {fullTime(entry.createdAt, language)}
              </small>
              {entry.error === undefined ? null : <small>{errorWords(entry.error, t).sentence}</small>}
            </div>
            <Button onClick={() => discard.run(entry.id)}>{t('settings.advanced.discard')}</Button>
          </li>
        ))}
      </ul>
    </>
  )
}

function SessionList() {
  const { t, language } = useText()
  const { data, reload } = useCall('session.list', {})
  const revoke = useAction((id: string) => call('session.revoke', { id }).then(reload))
  return (
    <>
      <h3 className={styles.subhead}>{t('settings.advanced.sessions')}</h3>
      {revoke.error === undefined ? null : <ErrorNote error={revoke.error} />}
      <ul className={styles.rules}>
        {data?.sessions.map((session) => (
          <li key={session.id}>
            <div>
              <span title={session.agent}>{browserWords(session.agent)}</span>{' '}
              {session.current ? <Tag tone="accent">{t('settings.advanced.current')}</Tag> : null}
              <small>{t('settings.advanced.seen', { time: fullTime(session.lastSeenAt, language) })}</small>
            </div>
            <Button onClick={() => revoke.run(session.id)}>{t('settings.advanced.revoke')}</Button>
          </li>
        ))}
      </ul>
    </>
  )
}
