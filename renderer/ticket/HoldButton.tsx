import { useId, useRef } from 'react'
import { useText } from '../i18n/i18n.ts'
import { Kbd } from '../ui/Kbd.tsx'
import { useReducedMotion } from '../ui/reduced-motion.ts'
import { useShortcut } from '../ui/shortcuts.ts'
import buttonStyles from '../ui/Button.module.css'
import styles from './HoldButton.module.css'
import { unlessCovered } from './covered.ts'
import { useHold } from './use-hold.ts'

/**
 * Approves something dangerous: held for a moment with the pointer or a key, or clicked twice where holding is no way (screen
 * readers, little motion). `shortcut` is bound as well.
 */
export function HoldButton({
  onDone,
  disabled,
  busy,
  shortcut,
}: {
  onDone: () => void
  disabled: boolean
  busy: boolean
  shortcut?: string
}) {
  const { t } = useText()
  const hintId = useId()
  const isReduced = useReducedMotion()
  const { state, hold, keyDown } = useHold(onDone)
  const isOff = disabled || busy
  const clicks = isReduced || state === 'armed'
  // Of a press that began as the first of two clicks, also the end is one.
  const pressClicks = useRef(clicks)
  const onKey = (event: { repeat: boolean }) => {
    if (isReduced) return event.repeat ? undefined : hold.click()
    keyDown(event)
  }
  useShortcut(shortcut ?? 'mod+enter', shortcut === undefined || isOff ? undefined : unlessCovered(onKey), {
    whileTyping: false,
  })
  return (
    <>
      <button
        type="button"
        className={`${buttonStyles.button} ${styles.hold}`}
        data-state={state}
        disabled={isOff}
        aria-busy={busy}
        aria-describedby={hintId}
        onPointerDown={({ button }) => {
          if (button !== 0) return
          pressClicks.current = clicks
          if (!clicks) hold.press()
        }}
        onPointerUp={() => hold.release()}
        onPointerLeave={() => hold.release()}
        onPointerCancel={() => hold.release()}
        onContextMenu={(event) => event.preventDefault()}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== ' ') return
          event.preventDefault()
          onKey(event)
        }}
        onClick={({ detail }) => {
          // Without a pointer the click is a screen reader's. The second half of a double click is no second thought.
          if (detail === 0 || (pressClicks.current && detail === 1)) hold.click()
        }}
      >
        <span className={styles.fill} aria-hidden="true" />
        <span className={styles.label}>
          {state === 'armed' ? t('ticket.again') : t(isReduced ? 'ticket.holdTwice' : 'ticket.hold')}
        </span>
        {shortcut === undefined ? null : <Kbd keys={shortcut} />}
      </button>
      <span id={hintId} className={state === 'idle' ? 'visually-hidden' : styles.hint} role="status">
        {clicks ? t('ticket.againHint') : t('ticket.holdHint')}
      </span>
    </>
  )
}
