import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { SettingsPatch } from '../../shared/ipc/settings.ts'
import type { TestHost } from './agentd.ts'
import type { ChromiumForTests } from './chromium.ts'
import { startDesk } from './desk.ts'
import { startElectronDesk, type TestElectronDesk } from './electron-desk.ts'

/** What the desk runs in. */
export type ShellUnderTest = 'browser' | 'standin'

/**
 * The shells that a spec file runs in: the browser shell, and for the specs with `alsoStandIn` also the Electron bundle in its
 * stand-in. `HANDOFF_E2E_SHELL=browser|standin` makes it that one for every spec.
 */
export function shellsUnderTest({ alsoStandIn = false } = {}): ShellUnderTest[] {
  const asked = process.env['HANDOFF_E2E_SHELL']
  if (asked === 'browser' || asked === 'standin') return [asked]
  return alsoStandIn ? ['browser', 'standin'] : ['browser']
}

/** A desk as a spec sees it, whatever it runs in. */
export interface DeskUnderTest {
  shell: ShellUnderTest
  /** The agentd of this computer. */
  host: TestHost
  /** The main window; in the browser shell a new browser each time. */
  page(): Promise<Page>
  /** The whole app, where there is one: tray, menus, notifications. */
  electron: TestElectronDesk | undefined
  start(): Promise<void>
  end(): Promise<void>
  /** Ends the desk; the host stays. */
  dispose(): Promise<void>
}

/** How a desk under test begins. `context` is only for the browser shell. */
export interface DeskUnderTestOptions {
  host: TestHost
  chromium: ChromiumForTests
  settings?: SettingsPatch
  environment?: NodeJS.ProcessEnv
  context?: BrowserContextOptions
}

const VIEWPORT = { width: 1_180, height: 760 }

/** Starts a desk on the home of a host, with the demo at full speed and, where given, settings that were chosen before. */
export async function startDeskUnderTest(
  shell: ShellUnderTest,
  { host, chromium, settings, environment = {}, context = {} }: DeskUnderTestOptions,
): Promise<DeskUnderTest> {
  if (settings !== undefined) keepSettings(host.home, settings)
  const options = { host, environment: { HANDOFF_DEMO_PACE: 'fast', ...environment } }
  if (shell === 'standin') {
    const electron = await startElectronDesk(options)
    const { start, end, dispose } = electron
    return {
      shell,
      host,
      electron,
      start,
      end,
      dispose,
      async page() {
        const page = await electron.page()
        await page.setViewportSize(VIEWPORT)
        return page
      },
    }
  }
  const desk = await startDesk(options)
  return {
    shell,
    host,
    electron: undefined,
    page: () => desk.page(chromium, context),
    start: desk.start,
    end: () => desk.end(),
    dispose: desk.dispose,
  }
}

function keepSettings(home: string, settings: SettingsPatch): void {
  const folder = path.join(home, 'desk')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(path.join(folder, 'settings.json'), JSON.stringify({ v: 1, ...settings }), { mode: 0o600 })
}
