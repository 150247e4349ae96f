const LOOK_MS = 500
/** An agent that thinks turns a sign in one row; that is nothing new. */
const NEWS_ROWS = 2

/** Tells once that something new is on a screen that nobody sees: more than one row is different. */
export function createNewsWatch({ rows, onNews }: { rows: () => string[]; onNews: () => void }) {
  let seen: string[] | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  function look(): void {
    timer = undefined
    if (seen === undefined) return
    const now = rows()
    const before = seen
    if (now.filter((row, index) => row !== before[index]).length < NEWS_ROWS) return
    seen = undefined
    onNews()
  }

  return {
    /** From now on the screen is seen, or not. */
    setShown(isShown: boolean): void {
      seen = isShown ? undefined : rows()
    },
    /** Something came. */
    came(): void {
      if (seen !== undefined) timer ??= setTimeout(look, LOOK_MS)
    },
    dispose: () => clearTimeout(timer),
  }
}
