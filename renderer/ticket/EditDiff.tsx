import { useMemo, useState } from 'react'
import { useText } from '../i18n/i18n.ts'
import { visibleText } from '../../shared/domain/visible.ts'
import { diffLines, type DiffLine } from './diff-lines.ts'
import styles from './EditDiff.module.css'
import { SeenBox } from './SeenBox.tsx'

/** Lines in one block; the browser lays out only the blocks on the screen. */
const BLOCK = 100

/** What an edit would change, as a unified diff. */
export function EditDiff({
  diff,
  maxHeightPx,
  onHidden,
}: {
  diff: string
  maxHeightPx: number
  onHidden: (isHidden: boolean) => void
}) {
  const { t } = useText()
  const blocks = useMemo(() => inBlocks(diffLines(diff)), [diff])
  const [count] = useState(() => blocks.reduce((sum, block) => sum + block.length, 0))
  return (
    <SeenBox
      label={t('ticket.diffLabel')}
      maxHeightPx={maxHeightPx}
      showAll={t('ticket.showAllLines', { count })}
      onHidden={onHidden}
    >
      <div className={styles.diff}>
        {blocks.map((block, index) => (
          <div
            key={index}
            className={styles.block}
            style={{ containIntrinsicSize: `auto ${block.length * 18}px` }}
          >
            {block.map((line, at) => (
              <Line key={at} line={line} />
            ))}
          </div>
        ))}
      </div>
    </SeenBox>
  )
}

const SIGNS: Record<DiffLine['kind'], string> = { added: '+', removed: '-', same: ' ', hunk: '', head: '' }

function Line({ line }: { line: DiffLine }) {
  const isNumbered = line.kind !== 'hunk' && line.kind !== 'head'
  return (
    <div className={`${styles.line} ${styles[line.kind]}`}>
      {isNumbered ? (
        <>
          <i aria-hidden="true">{line.before}</i>
          <i aria-hidden="true">{line.after}</i>
        </>
      ) : null}
      <span>{`${SIGNS[line.kind]}${visibleText(line.text)}`}</span>
    </div>
  )
}

function inBlocks(lines: DiffLine[]): DiffLine[][] {
  const blocks: DiffLine[][] = []
  for (let first = 0; first < lines.length; first += BLOCK) blocks.push(lines.slice(first, first + BLOCK))
  return blocks
}
