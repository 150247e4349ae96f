import { useCallback, useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/Button.tsx'
import styles from './SeenBox.module.css'

/** Space that may be missing at the end and it counts as scrolled to the end. */
const SLACK_PX = 4

/**
 * A box that shows the beginning of something long. `onHidden` tells whether part of it was never on the screen, before anything
 * is painted; scrolling to the end or showing all of it ends that for good.
 */
export function SeenBox({
  label,
  maxHeightPx,
  showAll,
  onHidden,
  children,
}: {
  label: string
  maxHeightPx: number
  /** Words of the button; by default "Show all". */
  showAll?: string
  onHidden: (isHidden: boolean) => void
  children: ReactNode
}) {
  const { t } = useText()
  const box = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [overflows, setOverflows] = useState(false)
  const [wasSeen, setSeen] = useState(false)
  const measure = useCallback(() => {
    const element = box.current
    if (element === null) return
    const isLonger = element.scrollHeight > element.clientHeight + 1
    const isAtEnd = element.scrollTop + element.clientHeight >= element.scrollHeight - SLACK_PX
    setOverflows(isLonger)
    if (isLonger && isAtEnd) setSeen(true)
  }, [])
  useLayoutEffect(measure, [measure, children, isOpen])
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [measure])
  const isHidden = overflows && !wasSeen && !isOpen
  useLayoutEffect(() => onHidden(isHidden), [isHidden, onHidden])
  return (
    <div className={styles.frame} data-cut={isHidden}>
      <div
        ref={box}
        className={styles.box}
        style={isOpen ? undefined : { maxHeight: maxHeightPx }}
        role="group"
        aria-label={label}
        // What scrolls must be reachable with the keyboard.
        tabIndex={overflows && !isOpen ? 0 : undefined}
        onScroll={measure}
      >
        {children}
      </div>
      {overflows && !isOpen ? (
        <Button size="small" className={styles.all} onClick={() => setOpen(true)}>
          {showAll ?? t('ticket.showAll')}
        </Button>
      ) : null}
    </div>
  )
}
