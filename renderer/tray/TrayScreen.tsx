/** The pending list of the tray's own small window. */
export function TrayScreen() {
  return null
}
