import { memo } from 'react'
import type { Translate } from '../../i18n/i18n.ts'
import { CodeText } from './CodeText.tsx'
import type { Tokens } from './colour-messages.ts'
import styles from './Diff.module.css'
import type { DiffLine } from './parse.ts'
import type { Marks } from './words.ts'

const SIGNS = { context: ' ', add: '+', remove: '-' } as const
const LOOKS = { context: '', add: styles.add, remove: styles.remove } as const

/** Words of all rows, looked up once: a row that looked for itself would take twice as long. */
export interface RowWords {
  t: Translate
  commentOn(line: number): string
}

/** A line of code as it is drawn. */
export interface DrawnLine {
  line: DiffLine | undefined
  tokens: Tokens | undefined
  marks: Marks | undefined
}

/** One line of code, or the empty half beside one; drawn again only when something of it is new. Its number begins a comment. */
export const Code = memo(function Code({
  kind,
  line,
  tokens,
  marks,
  wrap,
  words,
}: DrawnLine & { kind: 'unified' | 'old' | 'new'; wrap: boolean; words: RowWords }) {
  if (line === undefined) return <div className={`${styles.code} ${styles.none}`} />
  return (
    <div className={`${styles.code} ${LOOKS[line.kind]} ${wrap ? styles.wrapped : ''}`}>
      {kind === 'new' ? null : (
        <LineNumber value={line.oldLine} isMain={kind === 'old' || line.kind === 'remove'} words={words} />
      )}
      {kind === 'old' ? null : (
        <LineNumber value={line.newLine} isMain={kind === 'new' || line.kind !== 'remove'} words={words} />
      )}
      <span className={styles.sign}>{SIGNS[line.kind]}</span>
      <code>
        <CodeText text={line.text} tokens={tokens} marks={marks} t={words.t} />
      </code>
    </div>
  )
})

/** The diff hears the click: of so many rows none has listeners of its own. */
function LineNumber({
  value,
  isMain,
  words,
}: {
  value: number | undefined
  isMain: boolean
  words: RowWords
}) {
  // One way in for the keyboard and screen readers is enough; the other number only takes the mouse.
  if (value === undefined || !isMain)
    return (
      <i className={styles.number} aria-hidden>
        {value}
      </i>
    )
  return (
    <button type="button" className={styles.number} tabIndex={-1} aria-label={words.commentOn(value)}>
      {value}
    </button>
  )
}

/** The line whose number was pressed, of a row that shows one line, or two beside each other. */
export function pressedLine(
  target: EventTarget,
  row: { line: DiffLine } | { left: DiffLine | undefined; right: DiffLine | undefined },
): DiffLine | undefined {
  const number = target instanceof Element ? target.closest(`.${styles.number}`) : null
  if (number === null || number.textContent === '') return undefined
  if ('line' in row) return row.line
  const half = number.closest(`.${styles.code}`)
  return half?.previousElementSibling === null ? row.left : row.right
}
