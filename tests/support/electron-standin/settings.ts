/** The environment variable with the stand-in's settings, as JSON. */
export const SETTINGS_VARIABLE = 'ELECTRON_STANDIN'

/** How the stand-in behaves. */
export interface StandInSettings {
  /** What `process.platform` says. Default: the real one. */
  platform?: NodeJS.Platform
  /** Default: true. */
  hasKeyStore?: boolean
  locale?: string
  isPackaged?: boolean
  chromium: string
}

/** The settings of this process. */
export function standInSettings(): StandInSettings {
  return JSON.parse(process.env[SETTINGS_VARIABLE] ?? '{"chromium":"/usr/bin/chromium"}') as StandInSettings
}

/** What `process.platform` shall say. */
export function standInPlatform(): NodeJS.Platform {
  return standInSettings().platform ?? process.platform
}
