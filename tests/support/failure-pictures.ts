import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterEach } from 'vitest'

/** With `HANDOFF_E2E_PICTURES=FOLDER`, leaves a picture of the page there for every test that failed. */
export function picturesOfFailures(page: () => Page | undefined): void {
  const folder = process.env['HANDOFF_E2E_PICTURES']
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return
    await page()?.screenshot({
      path: path.join(folder, `${task.name.replaceAll(/\W+/g, '-').slice(0, 80)}.png`),
    })
  })
}
