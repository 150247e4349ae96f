import { chromium, type Browser, type BrowserContext, type BrowserContextOptions } from 'playwright-core'
import { afterAll } from 'vitest'
import { chromiumPath } from './requirements.ts'

/** Starts a real, headless Chromium of its own profile; close it. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = chromiumPath()
  if (executablePath === undefined) throw new Error('there is no Chromium; ask requires("chromium") first')
  return chromium.launch({
    executablePath,
    headless: true,
    // Chromium's sandbox does not work for root, as whom containers run.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
}

/**
 * One Chromium for the tests of a file, started when the first context is asked for and closed after the last test. Contexts
 * share nothing: each is a browser that was never used.
 */
export function chromiumForTests() {
  let launched: Promise<Browser> | undefined
  afterAll(async () => {
    await (await launched)?.close()
  })
  return {
    async context(options: BrowserContextOptions = {}): Promise<BrowserContext> {
      launched ??= launchChromium()
      return (await launched).newContext({ viewport: { width: 1180, height: 760 }, ...options })
    },
  }
}

export type ChromiumForTests = ReturnType<typeof chromiumForTests>
