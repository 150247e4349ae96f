import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { IpcEvent } from '../../shared/ipc.ts'
import { visibleLine } from '../../shared/domain/visible.ts'
import { subscribe } from '../bridge/bridge.ts'
import { onFailure } from '../bridge/failures.ts'
import { onSaid } from '../bridge/said.ts'
import { asAppError } from '../bridge/use-call.ts'
import { useText, type MessageKey, type Translate } from '../i18n/i18n.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { errorWords } from '../ui/error-words.ts'
import { navigate } from './navigation.ts'
import styles from './Notices.module.css'

const MAX_SHOWN = 4
const SHOWN_MS = 8_000

type Notice = { id: number } & (
  | ({ kind: 'told' } & IpcEvent<'desk.notice'>)
  | { kind: 'failed'; reason: unknown }
  | { kind: 'said'; key: MessageKey }
)
let lastId = 0

/** Sentences that need no decision, from the services and about failures. That an answer has arrived or something has begun goes by itself; the rest stays until it is put away. */
export function Notices() {
  const { t } = useText()
  const [notices, setNotices] = useState<Notice[]>([])
  const drop = (id: number) => setNotices((before) => before.filter((one) => one.id !== id))
  useEffect(() => {
    const add = (notice: Notice) => setNotices((before) => [...before.slice(1 - MAX_SHOWN), notice])
    const addBriefly = (notice: Notice) => {
      add(notice)
      setTimeout(() => drop(notice.id), SHOWN_MS)
    }
    const stops = [
      subscribe('desk.notice', (notice) => {
        const told = { ...notice, kind: 'told', id: (lastId += 1) } as const
        if (notice.code === 'answer_delivered') addBriefly(told)
        else add(told)
      }),
      onSaid((key) => addBriefly({ kind: 'said', key, id: (lastId += 1) })),
      onFailure((reason) => add({ kind: 'failed', reason, id: (lastId += 1) })),
    ]
    return () => stops.forEach((stop) => stop())
  }, [])
  return (
    <section className={styles.notices} aria-label={t('app.notices')} aria-live="polite">
      {notices.map((notice) => (
        <div key={notice.id} className={styles.notice}>
          <span>{sentenceOf(notice, t)}</span>
          <OpenButton notice={notice} />
          <IconButton label={t('app.dismiss')} onClick={() => drop(notice.id)}>
            <X size={14} />
          </IconButton>
        </div>
      ))}
    </section>
  )
}

function OpenButton({ notice }: { notice: Notice }) {
  const { t } = useText()
  const route = notice.kind === 'told' ? notice.route : undefined
  return route === undefined ? null : (
    <Button size="small" onClick={() => navigate(route)}>
      {t('app.open')}
    </Button>
  )
}

function sentenceOf(notice: Notice, t: Translate): string {
  if (notice.kind === 'failed') {
    const { sentence, hint } = errorWords(asAppError(notice.reason), t)
    return visibleLine(hint === undefined ? sentence : `${sentence} ${hint}`)
  }
  if (notice.kind === 'said') return t(notice.key)
  const { code, host, text } = notice
  return t(`app.notice.${code}`, { host: host ?? '', text: visibleLine(text ?? '') })
}
