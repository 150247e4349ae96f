/** Whether a dialog or a menu lies over the screen: keys that decide are not meant for what is below it. */
export function isCovered(): boolean {
  return document.querySelector('[role="dialog"], [role="menu"]') !== null
}

/** A key's action that does nothing while something lies over the screen. */
export function unlessCovered(run: (event: KeyboardEvent) => unknown): (event: KeyboardEvent) => void {
  return (event) => {
    if (!isCovered()) run(event)
  }
}
