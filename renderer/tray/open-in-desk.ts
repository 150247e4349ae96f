import { navigate } from '../app/navigation.ts'
import { call } from '../bridge/bridge.ts'

/** Shows a route in the main window; where the shell has none, in this one. */
export function openInDesk(route: string): void {
  call('window.open', { route }).catch(() => navigate(route))
}
