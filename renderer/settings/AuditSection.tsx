import { useEffect, useRef, useState } from 'react'
import type { AuditEntry } from '../../shared/protocol/records.ts'
import type { AppError } from '../../shared/errors.ts'
import { visibleText } from '../../shared/domain/visible.ts'
import { call } from '../bridge/bridge.ts'
import { asAppError } from '../bridge/use-call.ts'
import { useText } from '../i18n/i18n.ts'
import { actorName } from '../ticket/ticket-words.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import { clockTime, fullTime, useNow } from '../ui/time.ts'
import { TextField } from '../ui/Fields.tsx'
import { decisionWords, detailWords, subjectWords } from './audit-words.ts'
import { HostChoice } from './HostChoice.tsx'
import styles from './Settings.module.css'

const PAGE = 100

/** Every decision of a host, newest first; can be saved as a file. */
export function AuditSection() {
  const { t } = useText()
  const [host, setHost] = useState('local')
  const [text, setText] = useState('')
  const audit = useAudit(host)
  const words = text.trim().toLowerCase()
  const shown = audit.entries.filter(
    (entry) => words === '' || JSON.stringify(entry).toLowerCase().includes(words),
  )
  return (
    <>
      <p className={styles.intro}>{t('settings.audit.text')}</p>
      <div className={styles.tools}>
        <HostChoice label={t('settings.audit.host')} value={host} onChange={setHost} />
        <TextField
          type="search"
          value={text}
          placeholder={t('settings.audit.filter')}
          aria-label={t('settings.audit.filter')}
          onChange={(event) => setText(event.target.value)}
        />
        <Button disabled={shown.length === 0} onClick={() => save(host, shown)}>
          {t('settings.audit.export')}
        </Button>
      </div>
      {audit.error === undefined ? null : <ErrorNote error={audit.error} onRetry={audit.more} />}
      {audit.isDone && audit.entries.length === 0 ? (
        <p className={styles.empty}>{t('settings.audit.empty')}</p>
      ) : null}
      {audit.entries.length > 0 && shown.length === 0 ? (
        <p className={styles.empty}>{t('settings.audit.noMatch')}</p>
      ) : null}
      {shown.length === 0 ? null : <AuditTable entries={shown} />}
      {audit.isDone ? null : (
        <p className={styles.tools}>
          <Button onClick={audit.more}>{t('settings.audit.older')}</Button>
        </p>
      )}
    </>
  )
}

function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  const { t, language } = useText()
  const now = useNow()
  return (
    <table className={styles.audit}>
      <thead>
        <tr>
          <th scope="col">{t('settings.audit.when')}</th>
          <th scope="col">{t('settings.audit.by')}</th>
          <th scope="col">{t('settings.audit.what')}</th>
          <th scope="col">{t('settings.audit.on')}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            <td title={fullTime(entry.at, language)}>{clockTime(entry.at, now, language)}</td>
            <td>
              {actorName(entry.by, t)}
              {entry.ruleId === undefined ? null : (
                <div>{t('settings.audit.rule', { rule: entry.ruleId })}</div>
              )}
            </td>
            <td>{decisionWords(entry.decision, t)}</td>
            <OnWhat entry={entry} />
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function OnWhat({ entry }: { entry: AuditEntry }) {
  const { t } = useText()
  const detail = detailWords(entry, t)
  return (
    <td>
      <code className={styles.clip} title={visibleText(entry.text)}>
        {subjectWords(entry, t)}
      </code>
      {detail === undefined ? null : <div className={styles.clip}>{detail}</div>}
    </td>
  )
}

function useAudit(host: string) {
  const [entries, setEntries] = useState<AuditEntry[]>([])
  const [isDone, setDone] = useState(false)
  const [error, setError] = useState<AppError>()
  // No action (`useAction`): another host is asked at once, and what the one before answers late is no part of its list.
  const wanted = useRef(host)
  wanted.current = host
  const asking = useRef<string>(undefined)
  const load = (before: AuditEntry | undefined) => {
    // A second press would bring the same page twice.
    if (asking.current === host) return
    asking.current = host
    const page = call('audit.list', {
      host,
      limit: PAGE,
      ...(before === undefined ? {} : { beforeId: before.id }),
    })
    page
      .then(
        ({ entries: found }) => {
          if (wanted.current !== host) return
          setError(undefined)
          setEntries((held) => (before === undefined ? found : [...held, ...found]))
          setDone(found.length < PAGE)
        },
        (reason: unknown) => wanted.current === host && setError(asAppError(reason)),
      )
      .finally(() => {
        if (asking.current === host) asking.current = undefined
      })
  }
  useEffect(() => {
    setEntries([])
    setDone(false)
    load(undefined)
    // eslint-disable-next-line react-hooks/exhaustive-deps -- load is made anew at every drawing; the host decides
  }, [host])
  return { entries, isDone, error, more: () => load(entries.at(-1)) }
}

function save(host: string, entries: readonly AuditEntry[]): void {
  const lines = entries.map((entry) => JSON.stringify(entry)).join('\n')
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([`${lines}\n`], { type: 'application/x-ndjson' }))
  link.download = `handoff-audit-${host}-${new Date().toISOString().slice(0, 10)}.jsonl`
  link.click()
  URL.revokeObjectURL(link.href)
}
