import { useText } from '../../i18n/i18n.ts'
import { CodeText } from './CodeText.tsx'
import styles from './Diff.module.css'
import type { DiffLine } from './parse.ts'
import type { ColourOf } from './use-colours.ts'
import type { Marks } from './words.ts'

const SIGNS = { context: ' ', add: '+', remove: '-' } as const
const LOOKS = { context: '', add: styles.add, remove: styles.remove } as const

/** One line of code, or the empty half beside one. Its number begins a comment. */
export function Code({
  kind,
  line,
  draw,
  wrap,
}: {
  kind: 'unified' | 'old' | 'new'
  line: DiffLine | undefined
  draw: {
    marksOf: (line: DiffLine) => Marks | undefined
    colourOf: ColourOf
    onPick: (line: DiffLine, side: 'old' | 'new', isRange: boolean) => void
  }
  wrap: boolean
}) {
  if (line === undefined) return <div className={`${styles.code} ${styles.none}`} />
  const side = line.kind === 'remove' || (kind === 'old' && line.kind === 'context') ? 'old' : 'new'
  const target = line.kind === 'context' ? 'new' : side
  const pick = (isRange: boolean) => draw.onPick(line, target, isRange)
  return (
    <div className={`${styles.code} ${LOOKS[line.kind]} ${wrap ? styles.wrapped : ''}`}>
      {kind === 'new' ? null : (
        <Number_ value={line.oldLine} isMain={kind === 'old' || line.kind === 'remove'} onPick={pick} />
      )}
      {kind === 'old' ? null : (
        <Number_ value={line.newLine} isMain={kind === 'new' || line.kind !== 'remove'} onPick={pick} />
      )}
      <span className={styles.sign}>{SIGNS[line.kind]}</span>
      <code>
        <CodeText text={line.text} tokens={draw.colourOf(line)} marks={draw.marksOf(line)} />
      </code>
    </div>
  )
}

function Number_({
  value,
  isMain,
  onPick,
}: {
  value: number | undefined
  isMain: boolean
  onPick: (isRange: boolean) => void
}) {
  const { t } = useText()
  if (value === undefined) return <i className={styles.number} />
  // One way in for the keyboard and screen readers is enough; the other number only takes the mouse.
  return (
    <button
      type="button"
      className={styles.number}
      tabIndex={-1}
      aria-hidden={isMain ? undefined : true}
      aria-label={isMain ? t('review.commentOn', { line: value }) : undefined}
      onClick={(event) => onPick(event.shiftKey)}
    >
      {value}
    </button>
  )
}
