import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState, type Ref, useImperativeHandle } from 'react'
import { useShortcut } from '../../ui/shortcuts.ts'
import { exactText } from '../../../shared/domain/visible.ts'
import { useText } from '../../i18n/i18n.ts'
import type { ReviewNotesState } from '../comments/comment-store.ts'
import { Code, pressedLine, type DrawnLine, type RowWords } from './CodeRow.tsx'
import styles from './Diff.module.css'
import { FileHead } from './FileHead.tsx'
import type { DiffFile, DiffLine } from './parse.ts'
import { belowRow, RowComments } from './RowComments.tsx'
import { diffRows, type DiffRow } from './rows.ts'
import { useColours } from './use-colours.ts'
import { useCommenting } from './use-commenting.ts'
import { useCurrentFile } from './use-current-file.ts'
import { useCursor } from './use-cursor.ts'
import { useMeasuredRows } from './use-measured-rows.ts'
import { useNewColours } from './use-new-colours.ts'
import { createWordMarks } from './words.ts'

const LINE_PX = 18
const PLACE = '#'
const FILE_PX = 38
/** Rows drawn above and below the screen; each costs as much as one on it. */
const OVERSCAN = 8
const SCROLL_KEYS: ReadonlySet<string> = new Set(['PageUp', 'PageDown', 'Home', 'End', ' '])

/** What others may ask of a diff on the screen. */
export interface DiffHandle {
  /** Goes to a file, which is the current one from then on. */
  showFile(index: number): void
}

/** What the head of a file offers. */
export interface FileActions {
  isViewed(file: DiffFile): boolean
  setViewed(file: DiffFile, viewed: boolean): void
  open(file: DiffFile): void
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
  /** Another file is the current one. */
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
    overscan: OVERSCAN,
  })
  const focus = () => scroller.current?.focus({ preventScroll: true })
  // A field that goes away takes the keyboard with it.
  const comments = useCommenting(review, focus)
  const cursor = useCursor(rows, (index) => virtual.scrollToIndex(index))
  const commentOn = (row: DiffRow, line: DiffLine | undefined, isRange: boolean) => {
    const file = files[row.fileIndex]
    if (!('hunk' in row) || file === undefined || line === undefined) return
    comments.pick({ file, hunk: row.hunk, side: line.kind === 'remove' ? 'old' : 'new' }, line, isRange)
  }
  useShortcut('c', () => {
    const row = cursor.row ?? cursor.move(1, beginAt())
    if (row?.kind === 'line') commentOn(row, row.line, false)
    if (row?.kind === 'pair') commentOn(row, row.right ?? row.left, false)
  })
  const { colourOf, ask } = useColours()
  const [marksOf] = useState(createWordMarks)
  const isMeasured = useMeasuredRows(wrap, () => virtual.measure())
  const items = virtual.getVirtualItems()
  const mayColour = useNewColours(
    items.map(({ key }) => Number(key)),
    virtual.isScrolling,
  )
  const top = items.find((item) => item.end > (virtual.scrollOffset ?? 0))?.index ?? 0
  const { current, isPicked, ...hand } = useCurrentFile(files, rows[top]?.fileIndex ?? 0)
  const headOf = (index: number) => rows.findIndex((row) => row.kind === 'file' && row.fileIndex === index)
  const beginAt = () => (isPicked ? headOf(current) : top)
  useEffect(() => onCurrent(current), [current, onCurrent])
  // Who opens a review goes on with its keys, unless they are at something else already.
  useEffect(() => {
    if (hasNoFocus()) scroller.current?.focus({ preventScroll: true })
  }, [])
  useEffect(() => {
    for (const item of items) {
      const row = rows[item.index]
      const file = row === undefined ? undefined : files[row.fileIndex]
      if (file !== undefined && row !== undefined && 'hunk' in row) ask(file, row.hunk)
    }
  })
  useImperativeHandle(ref, () => ({
    showFile(index) {
      const at = headOf(index)
      if (at < 0) return
      hand.pick(index)
      cursor.leave()
      virtual.scrollToIndex(at, { align: 'start' })
      if (hasNoFocus()) focus()
    },
  }))
  const widest = useMemo(() => (wrap ? 0 : Math.min(2_000, widestLine(files))), [files, wrap])
  const words = useRowWords()
  const drawn = (row: DiffRow, line: DiffLine | undefined): DrawnLine =>
    line === undefined || !('hunk' in row) || !mayColour(row.key)
      ? { line, tokens: undefined, marks: undefined }
      : { line, tokens: colourOf(line), marks: marksOf(row.hunk, line) }
  return (
    <div className={styles.frame}>
      <div
        ref={scroller}
        className={`${styles.diff} ${wrap ? styles.wrap : ''}`}
        tabIndex={0}
        role="region"
        aria-label={t('review.diffLabel')}
        onWheel={hand.byHand}
        onTouchMove={hand.byHand}
        onPointerDown={(event) => event.target === scroller.current && hand.byHand()}
        onScroll={hand.scrolled}
        onClick={(event) => {
          const at = (event.target as Element).closest<HTMLElement>('[data-index]')?.dataset['index']
          const row = at === undefined ? undefined : rows[Number(at)]
          if (row?.kind === 'line' || row?.kind === 'pair')
            commentOn(row, pressedLine(event.target, row), event.shiftKey)
        }}
        onKeyDown={(event) => {
          if (event.target !== scroller.current) return
          const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
          if (step === 0) return SCROLL_KEYS.has(event.key) ? hand.byHand() : undefined
          event.preventDefault()
          const row = cursor.move(step, beginAt())
          if (row !== undefined) hand.pick(row.fileIndex)
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
            if (row === undefined || file === undefined) return null
            const below = belowRow(row, file, { open: comments.open, review })
            const isHigher = row.kind === 'note' || below.isOpenHere || below.kept.length > 0
            return (
              <div
                key={item.key}
                ref={isMeasured(row.key, isHigher) ? virtual.measureElement : undefined}
                data-index={item.index}
                className={`${styles.row} ${item.index === cursor.index ? styles.cursor : ''}`}
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <Row row={row} file={file} actions={actions} drawn={drawn} wrap={wrap} words={words} />
                {below.isOpenHere || below.kept.length > 0 ? (
                  <RowComments below={below} comments={comments} review={review} />
                ) : null}
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}

function Row({
  row,
  file,
  actions,
  drawn,
  wrap,
  words,
}: {
  row: DiffRow
  file: DiffFile
  actions: FileActions
  drawn: (row: DiffRow, line: DiffLine | undefined) => DrawnLine
  words: RowWords
  wrap: boolean
}) {
  const { t } = words
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
      return <Code kind="unified" {...drawn(row, row.line)} wrap={wrap} words={words} />
    case 'pair':
      return (
        <div className={styles.pair}>
          <Code kind="old" {...drawn(row, row.left)} wrap={wrap} words={words} />
          <Code kind="new" {...drawn(row, row.right)} wrap={wrap} words={words} />
        </div>
      )
  }
}

function useRowWords(): RowWords {
  const { t } = useText()
  return useMemo(() => {
    const [before = '', after = ''] = t('review.commentOn', { line: PLACE }).split(PLACE)
    return { t, commentOn: (line) => `${before}${line}${after}` }
  }, [t])
}

function hasNoFocus(): boolean {
  return document.activeElement === null || document.activeElement === document.body
}

function widestLine(files: readonly DiffFile[]): number {
  let widest = 0
  for (const file of files)
    for (const hunk of file.hunks)
      for (const line of hunk.lines) if (line.text.length > widest) widest = line.text.length
  return widest
}
