import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import type { Home } from '../../../shared/node/home.ts'
import { launchChromium } from '../../support/chromium.ts'
import { chromiumPath } from '../../support/requirements.ts'
import { until } from '../../support/until.ts'
import { withFolder } from './agentd.ts'

/** Ends the process with 0 and says so where there is no browser: then there is nothing to measure. */
export function needsChromium(): void {
  if (chromiumPath() !== undefined) return
  process.stderr.write('This bench needs Chromium (package chromium, or CHROMIUM_PATH) and is left out.\n')
  process.exit(0)
}

/** A folder, an environment that knows no other home, and things to end in reverse order. */
export interface DeskPlace {
  folder: string
  env: NodeJS.ProcessEnv
  browser: Browser
  /** Ends it after the work. */
  keep<T extends { stop(): Promise<void> }>(started: T): T
}

/** Runs `work` with a place for a desk and a browser; everything it kept is ended afterwards. */
export async function withDeskPlace(work: (place: DeskPlace) => Promise<void>): Promise<void> {
  needsChromium()
  await withFolder(async (folder) => {
    const kept: { stop(): Promise<void> }[] = []
    const browser = await launchChromium()
    const env = {
      ...process.env,
      HOME: folder,
      SHELL: '/bin/sh',
      TMUX_TMPDIR: folder,
      HANDOFF_DEMO_PACE: 'fast',
    }
    try {
      await work({
        folder,
        env,
        browser,
        keep(started) {
          kept.unshift(started)
          return started
        },
      })
    } finally {
      for (const one of kept) await one.stop()
      await browser.close()
    }
  })
}

/** Waits until nothing of a desk's start is under way any more: its cache was written and compared. */
export async function untilSettled(home: Home, facts: () => Promise<{ loopMaxMs: number }>): Promise<void> {
  await until('the cache to be there', () => existsSync(path.join(home.root, 'desk', 'cache.db')))
  let calm = 0
  await until(
    'the desk to be calm',
    async () => {
      calm = (await facts()).loopMaxMs < 60 ? calm + 1 : 0
      return calm >= 3
    },
    { timeoutMs: 20_000, intervalMs: 300 },
  )
}
