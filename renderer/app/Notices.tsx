import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { IpcEvent } from '../../shared/ipc.ts'
import { subscribe } from '../bridge/bridge.ts'
import { useText } from '../i18n/i18n.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { visibleLine } from '../../shared/domain/visible.ts'
import { navigate } from './navigation.ts'
import styles from './Notices.module.css'

const MAX_SHOWN = 4
const SHOWN_MS = 8_000

type Notice = IpcEvent<'desk.notice'> & { id: number }
let lastId = 0

/** Sentences of the services that need no decision; they go by themselves unless something went wrong. */
export function Notices() {
  const { t } = useText()
  const [notices, setNotices] = useState<Notice[]>([])
  const drop = (id: number) => setNotices((before) => before.filter((one) => one.id !== id))
  useEffect(
    () =>
      subscribe('desk.notice', (notice) => {
        const id = (lastId += 1)
        setNotices((before) => [...before.slice(1 - MAX_SHOWN), { ...notice, id }])
        if (notice.code === 'answer_delivered') setTimeout(() => drop(id), SHOWN_MS)
      }),
    [],
  )
  return (
    <section className={styles.notices} aria-label={t('app.notices')} aria-live="polite">
      {notices.map(({ id, code, host, text, route }) => (
        <div key={id} className={styles.notice}>
          <span>{t(`app.notice.${code}`, { host: host ?? '', text: visibleLine(text ?? '') })}</span>
          {route === undefined ? null : (
            <Button size="small" onClick={() => navigate(route)}>
              {t('app.open')}
            </Button>
          )}
          <IconButton label={t('app.dismiss')} onClick={() => drop(id)}>
            <X size={14} />
          </IconButton>
        </div>
      ))}
    </section>
  )
}
