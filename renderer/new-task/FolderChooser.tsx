import { Folder, FolderGit2 } from 'lucide-react'
import { useState } from 'react'
import { useCall } from '../bridge/use-call.ts'
import { visibleLine } from '../../shared/domain/visible.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import styles from './FolderChooser.module.css'

/** Chooses a folder of the machine where the desk runs, for shells that have no chooser of their own. */
export function FolderChooser({
  start,
  onChoose,
  onClose,
}: {
  start: string
  onChoose: (path: string) => void
  onClose: () => void
}) {
  const { t } = useText()
  const [path, setPath] = useState(/^[/~]/.test(start) ? start : '~')
  const { data, error, reload } = useCall('folder.list', { path })
  const parent = data?.parent
  return (
    <Dialog
      title={t('newTask.folders.title')}
      note={data?.path ?? path}
      width={520}
      onClose={onClose}
      footer={
        <>
          <Button disabled={parent === undefined} onClick={() => parent !== undefined && setPath(parent)}>
            {t('newTask.folders.up')}
          </Button>
          <span style={{ flex: 1 }} />
          <Button
            look="primary"
            disabled={data === undefined}
            onClick={() => data !== undefined && onChoose(data.path)}
          >
            {t('newTask.folders.choose')}
          </Button>
        </>
      }
    >
      {error === undefined ? null : (
        <ErrorNote error={error} onRetry={path === '~' ? reload : () => setPath('~')} />
      )}
      <ul className={styles.folders} aria-label={t('newTask.folders.list', { path: data?.path ?? path })}>
        {data?.folders.length === 0 ? <li className={styles.empty}>{t('newTask.folders.empty')}</li> : null}
        {data?.folders.map(({ name, isRepository }) => (
          <li key={name}>
            <button
              type="button"
              onClick={() => setPath(`${data.path.replace(/\/$/, '')}/${name}`)}
              onDoubleClick={() => isRepository && onChoose(`${data.path.replace(/\/$/, '')}/${name}`)}
            >
              {isRepository ? <FolderGit2 size={15} /> : <Folder size={15} />}
              <span>{visibleLine(name)}</span>
              {isRepository ? <small>{t('newTask.folders.isRepo')}</small> : null}
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
