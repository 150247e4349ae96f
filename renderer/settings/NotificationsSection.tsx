import { useState } from 'react'
import type { NotificationRecord } from '../../shared/ipc/desk-calls.ts'
import { call } from '../bridge/bridge.ts'
import { useDesk, useHosts, useSettings } from '../bridge/desk-store.ts'
import { useCall } from '../bridge/use-call.ts'
import { hostLabel } from '../app/host-words.ts'
import { useText, type MessageKey, type Translate } from '../i18n/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import { fullTime, useNow } from '../ui/time.ts'
import { useAction } from '../ui/use-action.ts'
import { minutesOf, timeOf } from './minutes.ts'
import { Group, TextRow, Toggle } from './Rows.tsx'
import styles from './Settings.module.css'
import { useChange } from './use-change.ts'

const KINDS = ['permission', 'question', 'review', 'trouble', 'sound'] as const

/** What may alert the person, when it may not, and what became of earlier alerts. */
export function NotificationsSection() {
  const { t } = useText()
  const { notifications } = useSettings()
  const can = useDesk((desk) => desk.can.notify)
  const { change, error } = useChange()
  const { quietHours } = notifications
  return (
    <>
      {error === undefined ? null : <ErrorNote error={error} />}
      {can ? null : <p className={styles.intro}>{t('settings.notifications.unsupported')}</p>}
      <Group>
        <Toggle
          label={t('settings.notifications.enabled')}
          note={t('settings.notifications.enabledNote')}
          value={notifications.enabled}
          onChange={(enabled) => change({ notifications: { enabled } })}
        />
        {KINDS.map((kind) => (
          <Toggle
            key={kind}
            label={t(`settings.notifications.${kind}`)}
            value={notifications[kind]}
            disabled={!notifications.enabled}
            onChange={(on) => change({ notifications: { [kind]: on } })}
          />
        ))}
        <Toggle
          label={t('settings.notifications.hide')}
          note={t('settings.notifications.hideNote')}
          value={notifications.hideContent}
          onChange={(hideContent) => change({ notifications: { hideContent } })}
        />
      </Group>
      <Group>
        <Toggle
          label={t('settings.notifications.quiet')}
          value={quietHours.enabled}
          onChange={(enabled) => change({ notifications: { quietHours: { enabled } } })}
        />
        {(quietHours.enabled ? (['from', 'to'] as const) : []).map((end) => (
          <TextRow
            key={end}
            type="time"
            label={t(`settings.notifications.${end}`)}
            value={timeOf(quietHours[end])}
            onChange={(text) =>
              change({ notifications: { quietHours: { [end]: minutesOf(text) ?? quietHours[end] } } })
            }
          />
        ))}
        <QuietUntil change={change} />
      </Group>
      <MutedHosts change={change} />
      <TestNotification />
      <NotificationLog />
    </>
  )
}

type Change = ReturnType<typeof useChange>['change']

function QuietUntil({ change }: { change: Change }) {
  const { t, language } = useText()
  const { quietUntil } = useSettings().notifications
  if (quietUntil <= useNow()) return null
  return (
    <div className={styles.row}>
      <span className={styles.label}>
        {t('settings.notifications.until', { time: fullTime(quietUntil, language) })}
      </span>
      <Button onClick={() => change({ notifications: { quietUntil: 0 } })}>
        {t('settings.notifications.end')}
      </Button>
    </div>
  )
}

function MutedHosts({ change }: { change: Change }) {
  const { t } = useText()
  const hosts = useHosts()
  const { mutedHosts } = useSettings().notifications
  if (hosts.length < 2) return null
  return (
    <>
      <h3 className={styles.subhead}>{t('settings.notifications.hosts')}</h3>
      <Group>
        {hosts.map((host) => (
          <Toggle
            key={host.name}
            label={hostLabel(host, t)}
            value={mutedHosts.includes(host.name)}
            onChange={(muted) =>
              change({
                notifications: {
                  mutedHosts: muted
                    ? [...mutedHosts, host.name]
                    : mutedHosts.filter((name) => name !== host.name),
                },
              })
            }
          />
        ))}
      </Group>
    </>
  )
}

function TestNotification() {
  const { t } = useText()
  const [said, setSaid] = useState('')
  const test = useAction(async () => {
    const { outcome, why } = await call('notification.test', {})
    setSaid(
      outcome === 'shown'
        ? t('settings.notifications.tested')
        : t('settings.notifications.testedNot', {
            why: why ?? t(`settings.notifications.outcome.${outcome}`),
          }),
    )
  })
  return (
    <>
      <p className={styles.tools}>
        <Button busy={test.isBusy} onClick={test.run}>
          {t('settings.notifications.test')}
        </Button>
        <span role="status">{said}</span>
      </p>
      {test.error === undefined ? null : <ErrorNote error={test.error} />}
    </>
  )
}

function NotificationLog() {
  const { t, language } = useText()
  const { data } = useCall('notification.log', {}, { refreshOn: () => true })
  return (
    <>
      <h3 className={styles.subhead}>{t('settings.notifications.log')}</h3>
      {data?.records.length === 0 ? (
        <p className={styles.empty}>{t('settings.notifications.logEmpty')}</p>
      ) : null}
      <ul className={styles.log}>
        {data?.records.slice(0, 100).map((record) => (
          <li key={`${record.key} ${record.at} ${record.outcome}`}>
            <time>{fullTime(record.at, language)}</time>
            <span title={record.title}>{record.title}</span>
            <small>{outcomeWords(record, t)}</small>
          </li>
        ))}
      </ul>
    </>
  )
}

const WHY: Readonly<Record<string, MessageKey>> = {
  off: 'settings.notifications.why.off',
  quiet: 'settings.notifications.why.quiet',
  visible: 'settings.notifications.why.visible',
  muted: 'settings.notifications.why.muted',
  burst: 'settings.notifications.why.burst',
  old: 'settings.notifications.why.old',
  not_for_you: 'settings.notifications.why.not_for_you',
}

function outcomeWords({ outcome, why }: NotificationRecord, t: Translate): string {
  const words = t(`settings.notifications.outcome.${outcome}`)
  if (why === undefined) return words
  const known = WHY[why]
  return `${words} · ${known === undefined ? why : t(known)}`
}
