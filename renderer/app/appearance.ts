import { subscribe } from '../bridge/bridge.ts'
import { deskNow } from '../bridge/desk-store.ts'
import type { Settings } from '../../shared/ipc/settings.ts'

/** Follows the person's choice of light or dark and of motion, and the system's where the choice is left to it. */
export function followAppearance(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const apply = (settings: Settings) => {
    const root = document.documentElement
    root.dataset['theme'] = settings.theme === 'system' ? (dark.matches ? 'dark' : 'light') : settings.theme
    root.dataset['motion'] = settings.reduceMotion ? 'reduced' : 'full'
    root.dataset['density'] = settings.density
    root.dataset['shell'] = deskNow().shell
    root.dataset['platform'] = deskNow().platform
  }
  dark.addEventListener('change', () => apply(deskNow().settings))
  subscribe('settings.changed', apply)
  apply(deskNow().settings)
}
