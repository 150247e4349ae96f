import { Check } from 'lucide-react'
import { useMemo, useState } from 'react'
import { visibleLine } from '../../shared/domain/visible.ts'
import { useText } from '../i18n/i18n.ts'
import { TextField } from '../ui/Fields.tsx'
import { Pane, PaneBar } from '../ui/Pane.tsx'
import type { DiffFile } from './diff/parse.ts'
import styles from './FileTree.module.css'

/** The changed files by folder: how much changed in each, and which were looked through. */
export function FileTree({
  files,
  isKnown,
  current,
  isViewed,
  commentCount,
  onShow,
}: {
  files: readonly DiffFile[]
  /** Whether it is known already what has changed. */
  isKnown: boolean
  current: number
  isViewed: (file: DiffFile) => boolean
  commentCount: (file: DiffFile) => number
  onShow: (index: number) => void
}) {
  const { t } = useText()
  const [text, setText] = useState('')
  const folders = useMemo(() => byFolder(files, text.trim().toLowerCase()), [files, text])
  const viewed = files.filter(isViewed).length
  return (
    <Pane className={styles.tree} aria-label={t('review.treeLabel')}>
      <PaneBar className={styles.bar}>
        <h2>{isKnown ? t('review.files', { count: files.length }) : ''}</h2>
        <small>{viewed === 0 ? '' : t('review.viewed', { count: viewed })}</small>
      </PaneBar>
      {files.length > 12 ? (
        <TextField
          type="search"
          className={styles.filter}
          value={text}
          placeholder={t('review.filter')}
          aria-label={t('review.filter')}
          onChange={(event) => setText(event.target.value)}
        />
      ) : null}
      <ul className={styles.list}>
        {folders.map(([folder, entries]) => (
          <li key={folder}>
            {folder === '' ? null : <p title={folder}>{visibleLine(folder)}</p>}
            <ul>
              {entries.map(({ file, index, name }) => (
                <li key={index}>
                  <button
                    type="button"
                    className={`${index === current ? styles.on : ''} ${isViewed(file) ? styles.seen : ''} ${folder === '' ? styles.top : ''}`}
                    aria-current={index === current ? 'true' : undefined}
                    title={visibleLine(file.path)}
                    onClick={() => onShow(index)}
                  >
                    {isViewed(file) ? (
                      <Check size={12} role="img" aria-label={t('review.markViewed')} />
                    ) : null}
                    <span>{visibleLine(name)}</span>
                    {commentCount(file) === 0 ? null : <b>{commentCount(file)}</b>}
                    <i className={styles.add}>+{file.added}</i>
                    {file.removed === 0 ? null : <i className={styles.del}>−{file.removed}</i>}
                  </button>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </Pane>
  )
}

interface Entry {
  file: DiffFile
  index: number
  name: string
}

function byFolder(files: readonly DiffFile[], text: string): [folder: string, entries: Entry[]][] {
  const folders = new Map<string, Entry[]>()
  files.forEach((file, index) => {
    if (text !== '' && !file.path.toLowerCase().includes(text)) return
    const slash = file.path.lastIndexOf('/')
    const folder = slash === -1 ? '' : file.path.slice(0, slash)
    const entries = folders.get(folder) ?? []
    entries.push({ file, index, name: file.path.slice(slash + 1) })
    folders.set(folder, entries)
  })
  return [...folders]
}
