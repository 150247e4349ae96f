import type { Settings } from '../../../shared/ipc/settings.ts'

/** What the person chose, kept in `<home>/desk/settings.json`. A damaged file is set aside and defaults are used. */
export interface SettingsService {
  get(): Settings
  /** A recursive change from the window; throws `bad_request` when the result is not valid. */
  change(patch: Record<string, unknown>): Settings
  onChange(listener: (settings: Settings) => void): () => void
}
