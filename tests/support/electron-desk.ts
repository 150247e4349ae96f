import { spawn, type ChildProcess } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { startHost, type TestHost } from './agentd.ts'
import type { Control } from './electron-standin/control.ts'
import { SETTINGS_VARIABLE, type StandInSettings } from './electron-standin/settings.ts'
import { launchRealElectron, spawnRealElectron } from './electron-real.ts'
import { chromiumPath } from './requirements.ts'
import { createTempDir } from './temp.ts'
import { until } from './until.ts'

const root = path.resolve(import.meta.dirname, '../..')
const isReal = process.env['ELECTRON'] === 'real'
const register = path.join(import.meta.dirname, 'electron-standin/register.ts')

/** What a stand-in can be told to play: another system, another language, a desktop without a key store. */
export type StandInPlay = Omit<StandInSettings, 'chromium'>

/** Options of a test desk in Electron. Without a `host` one is started, and ended with the desk. */
export interface ElectronDeskOptions {
  host?: TestHost
  environment?: NodeJS.ProcessEnv
  /** Arguments of the app: a link, `--hidden`. */
  args?: readonly string[]
  /** The bundle. Default: `dist/main.js`. */
  main?: string
  standIn?: StandInPlay
  /** Whether a Linux desktop is there that shows tray icons. Default: true. */
  hasTray?: boolean
}

/** A running app: how it is asked, and how its pages are reached. */
export interface ElectronApp {
  ask<N extends keyof Control>(name: N, input: Control[N]['input']): Promise<Control[N]['answer']>
  /** The page of a window; waits for it. */
  pageOf(route: RegExp): Promise<Page>
  pid(): number | undefined
  gone: Promise<number | null>
  end(): Promise<void>
}

/**
 * The real Electron bundle (dist/main.js, dist/preload.cjs) on the home of a real agentd: in the stand-in for Electron with
 * pages in a real Chromium, or with `ELECTRON=real` in the real one. Same use as `startDesk`, and the tray, the menus and
 * the notifications besides.
 */
export async function startElectronDesk(options: ElectronDeskOptions = {}) {
  const host = options.host ?? (await startHost())
  const tools = await createTempDir('ho-el-')
  const environment = {
    ...host.environment,
    ...options.environment,
    PATH: `${tools.path}:${host.environment['PATH'] ?? process.env['PATH'] ?? ''}`,
  }
  await pretendBus(tools.path, options.hasTray ?? true)
  let app: ElectronApp | undefined

  const start = async (): Promise<void> => {
    app = await launch(options, environment)
  }
  const running = (): ElectronApp => {
    if (app === undefined) throw new Error('The app does not run.')
    return app
  }
  const ask: ElectronApp['ask'] = (name, input) => running().ask(name, input)
  const end = async (): Promise<void> => {
    const ending = app
    app = undefined
    await ending?.end()
  }
  const cleanUp = async (): Promise<void> => {
    await end()
    if (!options.host) await host.dispose()
    await tools.dispose()
  }

  try {
    await start()
  } catch (error) {
    await cleanUp()
    throw error
  }
  return {
    host,
    start,
    end,
    pid: () => running().pid(),
    ask,
    /** The page of the main window; waits until it is there. */
    page: (): Promise<Page> => running().pageOf(/\/(#(?!\/tray).*)?$/),
    /** The page of the window beside the tray icon. */
    trayPage: (): Promise<Page> => running().pageOf(/#\/tray$/),
    tray: () => ask('tray', undefined),
    notifications: () => ask('notifications', undefined),
    clickNotification: (index: number) => ask('clickNotification', { index }),
    windows: () => ask('windows', undefined),
    gone: () => running().gone,
    /** A second start of the same app; answers when it has ended. */
    async startAgain(args: readonly string[]): Promise<number | null> {
      const child = isReal
        ? spawnRealElectron({ main: bundleOf(options), args, environment })
        : spawnApp({ ...options, args }, environment)
      return new Promise((resolve) => child.once('exit', resolve))
    },
    dispose: cleanUp,
  }
}

export type TestElectronDesk = Awaited<ReturnType<typeof startElectronDesk>>

/** A desk in Electron for one test. */
export async function electronDeskForTest(options: ElectronDeskOptions = {}): Promise<TestElectronDesk> {
  const desk = await startElectronDesk(options)
  onTestFinished(desk.dispose, 120_000)
  return desk
}

const bundleOf = ({ main }: ElectronDeskOptions): string => main ?? path.join(root, 'dist/main.js')

async function launch(options: ElectronDeskOptions, environment: NodeJS.ProcessEnv): Promise<ElectronApp> {
  if (isReal) return launchRealElectron({ main: bundleOf(options), args: options.args ?? [], environment })
  return connect(spawnApp(options, environment))
}

function spawnApp(options: ElectronDeskOptions, environment: NodeJS.ProcessEnv): ChildProcess {
  const executable = chromiumPath()
  if (executable === undefined) throw new Error('there is no Chromium; ask requires("chromium") first')
  const settings: StandInSettings = { ...options.standIn, chromium: executable }
  return spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--import',
      register,
      bundleOf(options),
      ...(options.args ?? []),
    ],
    {
      env: { ...environment, [SETTINGS_VARIABLE]: JSON.stringify(settings) },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    },
  )
}

interface Reply {
  id: number
  value?: unknown
  error?: string
}

function connect(child: ChildProcess): ElectronApp {
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>()
  let last = 0
  let browser: Promise<Browser> | undefined
  const gone = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => {
      for (const { reject } of waiting.values()) reject(new Error(`The app ended with ${code}.`))
      waiting.clear()
      resolve(code)
    })
  })
  child.on('message', ({ id, value, error }: Reply) => {
    const call = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) call?.resolve(value as never)
    else call?.reject(new Error(error))
  })

  const ask: ElectronApp['ask'] = (name, input) =>
    new Promise<never>((resolve, reject) => {
      if (!child.connected) return reject(new Error('The app has ended.'))
      waiting.set((last += 1), { resolve, reject })
      child.send({ id: last, name, input })
    })

  async function attached(): Promise<Browser> {
    const port = await until('Chromium to open its port', () => ask('debuggingPort', undefined), {
      timeoutMs: 30_000,
    })
    const connected = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
    const watchPage = (page: Page): void =>
      // Playwright never trusts a page again that crashed; a new connection does.
      void page.on('crash', () => {
        browser = undefined
      })
    for (const context of connected.contexts()) {
      context.on('page', watchPage)
      for (const page of context.pages()) watchPage(page)
    }
    return connected
  }

  return {
    ask,
    gone,
    pid: () => child.pid,
    async pageOf(route) {
      const page = await until(
        `a window at ${String(route)}`,
        async () => {
          browser ??= attached().catch((error: unknown) => {
            browser = undefined
            throw error
          })
          const pages = (await browser).contexts().flatMap((context) => context.pages())
          return pages.find((candidate) => isOurs(candidate.url()) && route.test(candidate.url()))
        },
        { timeoutMs: 60_000 },
      )
      await page.waitForLoadState()
      return page
    },
    async end() {
      await (await browser?.catch(() => undefined))?.close()
      if (child.exitCode !== null || child.signalCode !== null) return
      // Beyond the app's own deadline for closing.
      const timer = setTimeout(() => child.kill('SIGKILL'), 15_000)
      ask('quit', undefined).catch(() => child.kill('SIGTERM'))
      await gone
      clearTimeout(timer)
    },
  }
}

/** Whether an address is one of the app's: not a window that is just being made, or one that a page wanted to open. */
function isOurs(url: string): boolean {
  return URL.parse(url)?.hostname.endsWith('.localhost') === true
}

/** The session bus of a desktop, as far as the app asks it. */
async function pretendBus(folder: string, hasTray: boolean): Promise<void> {
  await mkdir(folder, { recursive: true })
  const file = path.join(folder, 'gdbus')
  await writeFile(file, `#!/bin/sh\necho '(${String(hasTray)},)'\n`)
  await chmod(file, 0o755)
}
