import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import type { SettingsPatch } from '../../shared/ipc/settings.ts'
import type { TestHost } from './agentd.ts'
import type { ChromiumForTests } from './chromium.ts'
import { startDesk } from './desk.ts'
import { startElectronDesk, type StandInPlay, type TestElectronDesk } from './electron-desk.ts'

/** What the desk runs in. */
export type ShellUnderTest = 'browser' | 'standin'

/**
 * The shells that the specs run in: the browser shell, and the Electron bundle in its stand-in (with `ELECTRON=real` in the real
 * one). `HANDOFF_E2E_SHELL=browser|standin` makes it that one.
 */
export function shellsUnderTest(): ShellUnderTest[] {
  const asked = process.env['HANDOFF_E2E_SHELL']
  return asked === 'browser' || asked === 'standin' ? [asked] : ['browser', 'standin']
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

/** How a desk under test begins. With `bypassCsp` its pages run scripts of the test's own. */
export interface DeskUnderTestOptions {
  host: TestHost
  chromium: ChromiumForTests
  settings?: SettingsPatch
  environment?: NodeJS.ProcessEnv
  bypassCsp?: boolean
  /** What the stand-in plays. */
  standIn?: StandInPlay
}

const VIEWPORT = { width: 1_180, height: 760 }

/** Starts a desk on the home of a host, with the demo at full speed and, where given, settings that were chosen before. */
export async function startDeskUnderTest(
  shell: ShellUnderTest,
  { host, chromium, settings, environment = {}, bypassCsp = false, standIn = {} }: DeskUnderTestOptions,
): Promise<DeskUnderTest> {
  if (settings !== undefined) keepSettings(host.home, settings)
  const options = { host, environment: { HANDOFF_DEMO_PACE: 'fast', ...environment } }
  if (shell === 'standin') {
    const electron = await startElectronDesk({ ...options, standIn })
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
        if (bypassCsp) await letScriptsRun(page)
        return page
      },
    }
  }
  const desk = await startDesk(options)
  return {
    shell,
    host,
    electron: undefined,
    page: () => desk.page(chromium, { bypassCSP: bypassCsp }),
    start: desk.start,
    end: () => desk.end(),
    dispose: desk.dispose,
  }
}

/** A policy is read when a page is loaded, so it is loaded again. */
async function letScriptsRun(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Page.setBypassCSP', { enabled: true })
  await page.reload()
}

function keepSettings(home: string, settings: SettingsPatch): void {
  const folder = path.join(home, 'desk')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(path.join(folder, 'settings.json'), JSON.stringify({ v: 1, ...settings }), { mode: 0o600 })
}
