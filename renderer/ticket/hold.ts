/** How a dangerous approval stands: held down so far, or waiting for a second click. */
export type HoldState = 'idle' | 'holding' | 'armed' | 'hint'

/** How long a button or key is held before it counts. */
export const HOLD_MS = 900
/** How long the first of two clicks counts. */
export const ARMED_MS = 5_000

/** A press that counts only when it is meant: held to the end, or made twice. */
export interface Hold {
  /** The button or key went down. */
  press(): void
  /** It went up, or the pointer or the window was left: nothing happens. */
  release(): void
  /** A click without a pointer, as screen readers make it: the first arms, the second counts. */
  click(): void
  dispose(): void
}

/** `after` runs something later and answers how to prevent it; `isHeld` may still refuse at the end of a hold. */
export function createHold({
  after,
  onState,
  onDone,
  isHeld = () => true,
}: {
  after: (delayMs: number, run: () => void) => () => void
  onState: (state: HoldState) => void
  onDone: () => void
  isHeld?: () => boolean
}): Hold {
  let state: HoldState = 'idle'
  let stop = () => {}
  const become = (next: HoldState) => {
    stop()
    stop = () => {}
    state = next
    onState(next)
  }
  const finish = () => {
    become('idle')
    onDone()
  }
  const arm = () => {
    become('armed')
    stop = after(ARMED_MS, () => become('idle'))
  }
  return {
    press() {
      if (state === 'holding') return
      const wasArmed = state === 'armed'
      become('holding')
      stop = after(HOLD_MS, () => (isHeld() ? finish() : wasArmed ? become('hint') : arm()))
    },
    release() {
      if (state === 'holding') become('hint')
    },
    click() {
      if (state === 'armed') finish()
      else arm()
    },
    dispose() {
      stop()
    },
  }
}
