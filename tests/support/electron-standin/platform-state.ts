import path from 'node:path'
import { app, atQuit } from './app.ts'
import { startChromium, type Chromium } from './cdp.ts'
import { createSchemes, type Schemes } from './schemes.ts'
import { standInSettings } from './settings.ts'

let chromium: Promise<Chromium> | undefined

/** Custom schemes of this process. */
export const schemes: Schemes = createSchemes()

/** The folder of the browser's profile. */
export function profileFolder(): string {
  return path.join(app.getPath('userData'), 'chromium')
}

/** The browser, started when the first window needs it. */
export function theChromium(): Promise<Chromium> {
  if (chromium === undefined) {
    const started = startChromium(standInSettings().chromium, profileFolder())
    atQuit.push(async () => (await started).close())
    chromium = started
  }
  return chromium
}
