import { useEffect, useMemo, useRef, useState } from 'react'
import { useText } from '../i18n/i18n.ts'
import { visibleText } from '../../shared/domain/visible.ts'
import { diffLines, type EditLine } from './diff-lines.ts'
import styles from './EditDiff.module.css'
import { SeenBox } from './SeenBox.tsx'

/** Lines in one block; the browser lays out only the blocks on the screen. */
const BLOCK = 100
const LINE_PX = 18

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
          <Block key={index} lines={block} isFirst={index === 0} />
        ))}
      </div>
    </SeenBox>
  )
}

/** Lines that are made when they come near the screen: a diff of 90 000 lines must not hold the window up. */
function Block({ lines, isFirst }: { lines: readonly EditLine[]; isFirst: boolean }) {
  const place = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(isFirst)
  useEffect(() => {
    const element = place.current
    if (isNear || element === null) return
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setNear(true),
      { rootMargin: '400px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [isNear])
  const heightPx = lines.length * LINE_PX
  return isNear ? (
    <div className={styles.block} style={{ containIntrinsicSize: `auto ${heightPx}px` }}>
      {lines.map((line, at) => (
        <Line key={at} line={line} />
      ))}
    </div>
  ) : (
    <div ref={place} style={{ height: heightPx }} />
  )
}

const SIGNS: Record<EditLine['kind'], string> = { added: '+', removed: '-', same: ' ', hunk: '', head: '' }

function Line({ line }: { line: EditLine }) {
  const isNumbered = line.kind !== 'hunk' && line.kind !== 'head'
  return (
    <div className={`${styles.line} ${styles[line.kind]}`}>
      {isNumbered ? (
        <>
          <i aria-hidden="true">{line.before}</i>
          <i aria-hidden="true">{line.after}</i>
          <b>{SIGNS[line.kind]}</b>
        </>
      ) : null}
      <span>{visibleText(line.text)}</span>
    </div>
  )
}

function inBlocks(lines: EditLine[]): EditLine[][] {
  const blocks: EditLine[][] = []
  for (let first = 0; first < lines.length; first += BLOCK) blocks.push(lines.slice(first, first + BLOCK))
  return blocks
}
