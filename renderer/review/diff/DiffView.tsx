import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState, type Ref, useImperativeHandle } from 'react'
import { useShortcut } from '../../ui/shortcuts.ts'
import { exactText } from '../../../shared/domain/visible.ts'
import { useText } from '../../i18n/i18n.ts'
import { commentsAt, lineOn, placeBetween, type Place } from '../comments/place.ts'
import type { ReviewNotesState } from '../comments/comment-store.ts'
import { CommentBox, CommentEditor } from '../comments/CommentBox.tsx'
import { Code } from './CodeRow.tsx'
import styles from './Diff.module.css'
import { FileHead } from './FileHead.tsx'
import type { DiffFile, DiffHunk, DiffLine } from './parse.ts'
import { diffRows, type DiffRow } from './rows.ts'
import { useColours } from './use-colours.ts'
import { wordMarks, type Marks } from './words.ts'

const LINE_PX = 18
const FILE_PX = 38

/** What others may ask of a diff on the screen. */
export interface DiffHandle {
  showFile(index: number): void
}

/** What the head of a file offers. */
export interface FileActions {
  isViewed(file: DiffFile): boolean
  setViewed(file: DiffFile, viewed: boolean): void
  open(file: DiffFile, line?: number): void
}

/** A whole diff, as long as it may be: only what is on the screen is drawn, coloured and compared word by word. */
export function DiffView({
  files,
  layout,
  wrap,
  review,
  actions,
  onCurrent,
  ref,
}: {
  files: readonly DiffFile[]
  layout: 'unified' | 'split'
  wrap: boolean
  review: ReviewNotesState
  actions: FileActions
  /** The file at the top changed. */
  onCurrent: (index: number) => void
  ref: Ref<DiffHandle>
}) {
  const { t } = useText()
  const scroller = useRef<HTMLDivElement>(null)
  const isCollapsed = actions.isViewed
  const rows = useMemo(() => diffRows(files, layout, isCollapsed), [files, layout, isCollapsed])
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.kind === 'file' ? FILE_PX : LINE_PX),
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 20,
  })
  const comments = useCommenting(review)
  const cursor = useCursor(rows, (index) => virtual.scrollToIndex(index))
  const commentHere = (isRange: boolean) => {
    const row = cursor.row
    const file = row === undefined ? undefined : files[row.fileIndex]
    const line = row?.kind === 'line' ? row.line : row?.kind === 'pair' ? (row.right ?? row.left) : undefined
    if (row === undefined || !('hunk' in row) || file === undefined || line === undefined) return
    comments.pick({ file, hunk: row.hunk, side: line.kind === 'remove' ? 'old' : 'new' }, line, isRange)
  }
  useShortcut('c', () => commentHere(false))
  const { colourOf, ask } = useColours()
  const marks = useMarks()
  const items = virtual.getVirtualItems()
  const top = items.find((item) => item.end > (virtual.scrollOffset ?? 0))?.index ?? 0
  const current = rows[top]?.fileIndex ?? 0
  useEffect(() => onCurrent(current), [current, onCurrent])
  useEffect(() => {
    for (const item of items) {
      const row = rows[item.index]
      const file = row === undefined ? undefined : files[row.fileIndex]
      if (file !== undefined && row !== undefined && 'hunk' in row) ask(file, row.hunk)
    }
  })
  useImperativeHandle(ref, () => ({
    showFile(index) {
      const at = rows.findIndex((row) => row.kind === 'file' && row.fileIndex === index)
      if (at >= 0) virtual.scrollToIndex(at, { align: 'start' })
    },
  }))
  const widest = useMemo(() => (wrap ? 0 : Math.min(2_000, widestLine(files))), [files, wrap])
  const drawLine = (file: DiffFile, hunk: DiffHunk) => ({
    marksOf: (line: DiffLine) => marks(hunk).get(line),
    colourOf,
    onPick: (line: DiffLine, side: 'old' | 'new', isRange: boolean) =>
      comments.pick({ file, hunk, side }, line, isRange),
  })
  return (
    <div
      ref={scroller}
      className={`${styles.diff} ${wrap ? styles.wrap : ''}`}
      tabIndex={0}
      role="region"
      aria-label={t('review.diffLabel')}
      onKeyDown={(event) => {
        if (event.target !== scroller.current) return
        const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
        if (step === 0) return
        event.preventDefault()
        cursor.move(step, items[0]?.index ?? 0)
      }}
    >
      <div
        className={styles.inner}
        style={{
          height: virtual.getTotalSize(),
          minWidth: layout === 'unified' && !wrap ? `calc(${widest}ch + 110px)` : undefined,
        }}
      >
        {items.map((item) => {
          const row = rows[item.index]
          const file = row === undefined ? undefined : files[row.fileIndex]
          return row === undefined || file === undefined ? null : (
            <div
              key={item.key}
              ref={virtual.measureElement}
              data-index={item.index}
              className={`${styles.row} ${item.index === cursor.index ? styles.cursor : ''}`}
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <Row row={row} file={file} actions={actions} draw={drawLine} wrap={wrap} />
              <Below row={row} file={file} comments={comments} review={review} />
            </div>
          )
        })}
      </div>
    </div>
  )
}

function Row({
  row,
  file,
  actions,
  draw,
  wrap,
}: {
  row: DiffRow
  file: DiffFile
  actions: FileActions
  draw: (file: DiffFile, hunk: DiffHunk) => Parameters<typeof Code>[0]['draw']
  wrap: boolean
}) {
  const { t } = useText()
  switch (row.kind) {
    case 'file':
      return <FileHead file={file} actions={actions} />
    case 'note':
      return (
        <p className={styles.note}>
          {file.isBinary
            ? t('review.binary')
            : file.mode === undefined
              ? t('review.moved', { path: file.oldPath ?? file.path })
              : t('review.modeOnly', file.mode)}
        </p>
      )
    case 'hunk':
      return <p className={styles.hunk}>⋯ {exactText(row.hunk.header)}</p>
    case 'line':
      return <Code kind="unified" line={row.line} draw={draw(file, row.hunk)} wrap={wrap} />
    case 'pair':
      return (
        <div className={styles.pair}>
          <Code kind="old" line={row.left} draw={draw(file, row.hunk)} wrap={wrap} />
          <Code kind="new" line={row.right} draw={draw(file, row.hunk)} wrap={wrap} />
        </div>
      )
  }
}

/** The comments of a row, and the one that is being written. */
function Below({
  row,
  file,
  comments,
  review,
}: {
  row: DiffRow
  file: DiffFile
  comments: ReturnType<typeof useCommenting>
  review: ReviewNotesState
}) {
  if (row.kind !== 'line' && row.kind !== 'pair') return null
  const lines =
    row.kind === 'line'
      ? [row.line]
      : [...new Set([row.left, row.right])].filter((line) => line !== undefined)
  const kept = lines.flatMap((line) => commentsAt(review.notes.comments, file, line))
  const { open } = comments
  const isOpenHere =
    open !== undefined &&
    open.path === file.path &&
    lines.some(
      (line) => lineOn(line, open.side) === open.toLine && (line.kind !== 'context' || open.side === 'new'),
    )
  return (
    <>
      {kept.map((comment) => (
        <CommentBox
          key={comment.id}
          comment={comment}
          onChange={(text) => review.keep({ ...comment, text })}
          onDrop={() => review.drop(comment.id)}
        />
      ))}
      {isOpenHere ? <CommentEditor place={open} onKeep={comments.keep} onClose={comments.close} /> : null}
    </>
  )
}

/** The line that the keys are at: arrows move it, `c` comments on it. */
function useCursor(rows: readonly DiffRow[], scrollTo: (index: number) => void) {
  const [index, setIndex] = useState<number>()
  const row = index === undefined ? undefined : rows[index]
  return {
    index,
    row,
    move(step: 1 | -1, first: number) {
      let next = index === undefined ? first : index + step
      while (next >= 0 && next < rows.length && rows[next]?.kind !== 'line' && rows[next]?.kind !== 'pair')
        next += step
      if (next < 0 || next >= rows.length) return
      setIndex(next)
      scrollTo(next)
    },
  }
}

/** Which lines are being commented on: a click begins, a click with Shift makes it a range. */
function useCommenting(review: ReviewNotesState) {
  const [open, setOpen] = useState<Place>()
  return {
    open,
    pick(at: { file: DiffFile; hunk: DiffHunk; side: 'old' | 'new' }, line: DiffLine, isRange: boolean) {
      const number = lineOn(line, at.side)
      if (number === undefined) return
      const from =
        isRange && open !== undefined && open.path === at.file.path && open.side === at.side
          ? open.fromLine
          : number
      setOpen(placeBetween(at, from, number) ?? placeBetween(at, number, number))
    },
    keep(text: string) {
      if (open !== undefined) review.keep({ ...open, id: crypto.randomUUID(), text })
      setOpen(undefined)
    },
    close: () => setOpen(undefined),
  }
}

function useMarks(): (hunk: DiffHunk) => Map<DiffLine, Marks> {
  const known = useRef(new WeakMap<DiffHunk, Map<DiffLine, Marks>>())
  return (hunk) => {
    let marks = known.current.get(hunk)
    if (marks === undefined) {
      marks = wordMarks(hunk)
      known.current.set(hunk, marks)
    }
    return marks
  }
}

function widestLine(files: readonly DiffFile[]): number {
  let widest = 0
  for (const file of files)
    for (const hunk of file.hunks)
      for (const line of hunk.lines) if (line.text.length > widest) widest = line.text.length
  return widest
}
