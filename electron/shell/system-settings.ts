import type { DeskPlatform } from '../services/platform.ts'
import type { SettingsService } from '../services/settings/types.ts'

/**
 * Keeps what the system does for the desk as the person chose it: the global shortcut, from the start on, and the start at
 * login, when it is changed. `onShortcutTaken` is told when another program has the shortcut, or it is none.
 */
export function followSystemSettings({
  settings,
  platform,
  onShortcutTaken,
}: {
  settings: SettingsService
  platform: Pick<DeskPlatform, 'globalShortcut' | 'launchAtLogin'>
  onShortcutTaken(accelerator: string): void
}): () => void {
  let { shortcuts, startup } = settings.get()
  const useShortcut = (): void => {
    if (platform.globalShortcut?.(shortcuts.global).ok === false) onShortcutTaken(shortcuts.global)
  }
  useShortcut()
  return settings.onChange((changed) => {
    const before = { shortcuts, startup }
    ;({ shortcuts, startup } = changed)
    if (shortcuts.global !== before.shortcuts.global) useShortcut()
    if (startup.launchAtLogin !== before.startup.launchAtLogin)
      platform.launchAtLogin?.(startup.launchAtLogin)
  })
}
