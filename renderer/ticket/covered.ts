/** Whether a dialog or a menu lies over the screen: keys that decide are not meant for what is below it. */
export function isCovered(): boolean {
  return document.querySelector('[role="dialog"], [role="menu"]') !== null
}
