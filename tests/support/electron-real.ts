import path from 'node:path'
import { _electron } from 'playwright-core'
import type { ElectronApp } from './electron-desk.ts'
import { until } from './until.ts'

/**
 * Starts the same bundle in a real Electron (the one of the package `electron`, whose binary must be there). Written against
 * Playwright's documentation; where these tests were built no Electron binary could be had, so it has not been run there.
 */
export async function launchRealElectron({
  main,
  args,
  environment,
}: {
  main: string
  args: readonly string[]
  environment: NodeJS.ProcessEnv
}): Promise<ElectronApp> {
  const entry = path.join(import.meta.dirname, 'electron-real-entry.mjs')
  const electron = await _electron.launch({
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), entry, ...args],
    env: { ...(environment as Record<string, string>), HANDOFF_TEST_MAIN: main },
  })
  const child = electron.process()
  const gone = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return {
    gone,
    pid: () => child.pid,
    ask: (name, input) =>
      electron.evaluate(
        (_module, [what, given]) =>
          (globalThis as unknown as { handoffTest: Record<string, (input: unknown) => never> }).handoffTest[
            what as string
          ]?.(given) as never,
        [name, input] as unknown[],
      ),
    pageOf: (route) =>
      until(`a window at ${String(route)}`, () => electron.windows().find((page) => route.test(page.url())), {
        timeoutMs: 30_000,
      }),
    end: () => electron.close(),
  }
}
