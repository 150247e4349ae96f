import { Check } from 'lucide-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef, useState } from 'react'
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
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useMemo(() => treeRows(files, text.trim().toLowerCase()), [files, text])
  // A change of three thousand files is rare, but drawing their names takes longer than drawing the diff.
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 10,
  })
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
      <div className={styles.list} ref={scroller}>
        <ul style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index]
            return row === undefined ? null : (
              <li
                key={'file' in row ? row.index : row.folder}
                style={{ transform: `translateY(${start}px)` }}
              >
                {'file' in row ? (
                  <button
                    type="button"
                    className={`${row.index === current ? styles.on : ''} ${isViewed(row.file) ? styles.seen : ''} ${row.isTop ? styles.top : ''}`}
                    aria-current={row.index === current ? 'true' : undefined}
                    title={visibleLine(row.file.path)}
                    onClick={() => onShow(row.index)}
                  >
                    {isViewed(row.file) ? (
                      <Check size={12} role="img" aria-label={t('review.markViewed')} />
                    ) : null}
                    <span>{visibleLine(row.name)}</span>
                    {commentCount(row.file) === 0 ? null : <b>{commentCount(row.file)}</b>}
                    <i className={styles.add}>+{row.file.added}</i>
                    {row.file.removed === 0 ? null : <i className={styles.del}>−{row.file.removed}</i>}
                  </button>
                ) : (
                  <p title={row.folder}>{visibleLine(row.folder)}</p>
                )}
              </li>
            )
          })}
        </ul>
      </div>
    </Pane>
  )
}

const ROW_PX = 24

interface FileRow {
  file: DiffFile
  index: number
  name: string
  /** Not in a folder. */
  isTop: boolean
}

/** The files that fit the text, each folder with its name above it. */
function treeRows(files: readonly DiffFile[], text: string): (FileRow | { folder: string })[] {
  const folders = new Map<string, FileRow[]>()
  files.forEach((file, index) => {
    if (text !== '' && !file.path.toLowerCase().includes(text)) return
    const slash = file.path.lastIndexOf('/')
    const folder = slash === -1 ? '' : file.path.slice(0, slash)
    const entries = folders.get(folder) ?? []
    entries.push({ file, index, name: file.path.slice(slash + 1), isTop: folder === '' })
    folders.set(folder, entries)
  })
  return [...folders].flatMap(([folder, entries]) => (folder === '' ? entries : [{ folder }, ...entries]))
}
