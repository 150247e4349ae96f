import { spawn, type ChildProcess } from 'node:child_process'
import { createRequire } from 'node:module'
import path from 'node:path'
import { _electron } from 'playwright-core'
import type { ElectronApp } from './electron-desk.ts'
import { until } from './until.ts'

/** What is started in a real Electron. */
interface RealStart {
  main: string
  args: readonly string[]
  environment: NodeJS.ProcessEnv
}

const entry = path.join(import.meta.dirname, 'electron-real-entry.mjs')
// Chromium's sandbox does not work for root, as whom containers run.
const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []

/** Starts it beside one that runs, with nobody to drive it. */
export function spawnRealElectron({ main, args, environment }: RealStart): ChildProcess {
  // Outside of Electron the package is the path of its program.
  const program = createRequire(import.meta.url)('electron') as string
  return spawn(program, [...sandbox, entry, ...args], {
    env: { ...environment, HANDOFF_TEST_MAIN: main },
    stdio: 'inherit',
  })
}

/**
 * Starts the same bundle in a real Electron (the one of the package `electron`, whose binary must be there). Written against
 * Playwright's documentation; where these tests were built no Electron binary could be had, so it has not been run there.
 */
export async function launchRealElectron({ main, args, environment }: RealStart): Promise<ElectronApp> {
  const electron = await _electron.launch({
    args: [...sandbox, entry, ...args],
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
