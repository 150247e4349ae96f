import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe } from 'vitest'
import type { SettingsPatch } from '../../shared/ipc/settings.ts'
import type { HostConnection } from '../../shared/node/host-client/connection.ts'
import { dispatchDemo, requestId, startHost, type TestHost } from './agentd.ts'
import { chromiumForTests } from './chromium.ts'
import { PATIENCE_MS } from './desk-page.ts'
import {
  shellsUnderTest,
  startDeskUnderTest,
  type DeskUnderTest,
  type ShellUnderTest,
} from './desk-under-test.ts'
import type { StandInPlay } from './electron-desk.ts'
import { picturesOfFailures } from './failure-pictures.ts'
import { createRepository, type TestRepository } from './repository.ts'
import { requires, type Requirement } from './requirements.ts'

/** How the desk of a suite begins. */
export interface DeskSuiteOptions {
  /** What it needs besides git, tmux and Chromium. */
  needs?: readonly Requirement[]
  shells?: readonly ShellUnderTest[]
  /** What was chosen before, besides that the greeting was seen; `first start`: nothing. */
  settings?: SettingsPatch | 'first start'
  /** The agentd of this computer, when it is to be another than a plain one; ended with the suite. */
  host?: () => Promise<{ host: TestHost; dispose(): Promise<void> }>
  /** What is in the repository, by path. Default: a README.md. */
  files?: Record<string, string>
  /** Lets the pages run scripts of the test's own. */
  bypassCsp?: boolean
  /** What the stand-in for Electron plays. */
  standIn?: StandInPlay
}

/** A running desk for a suite of tests. Its parts are there from the first hook of the suite on, and go after the last. */
export interface DeskSuite {
  readonly shell: ShellUnderTest
  /** The agentd of this computer. */
  readonly host: TestHost
  /** A connection to it past the desk. */
  readonly local: HostConnection
  readonly app: DeskUnderTest
  /** The main window; after `restart` another one. */
  readonly page: Page
  /** A repository with one commit. */
  readonly repo: TestRepository
  /** Ends the desk and starts it again on the same home. */
  restart(): Promise<void>
  /** Hands steps to the demo executor of this computer, or of another host, and answers the task's id. */
  dispatch(title: string, steps: readonly string[], on?: HostConnection): Promise<string>
  cancel(task: string, on?: HostConnection): Promise<void>
}

/** A suite of tests on a desk, once in each shell. What these tests need and this machine lacks is named where they are skipped. */
export function deskSuite(name: string, options: DeskSuiteOptions, specs: (desk: DeskSuite) => void): void {
  const needs = requires('git', 'tmux', 'chromium', ...(options.needs ?? []))
  const shells = options.shells ?? shellsUnderTest()
  describe.skipIf(needs.skip).each(shells)(needs.title(`${name}, in the shell %s`), (shell) => {
    const { suite, start, end, windowNow } = prepare(shell, options)
    picturesOfFailures(windowNow)
    beforeAll(start)
    afterAll(end)
    specs(suite)
  })
}

interface Parts {
  host: TestHost
  local: HostConnection
  app: DeskUnderTest
  page: Page
  repo: TestRepository
}

function prepare(shell: ShellUnderTest, options: DeskSuiteOptions) {
  const chromium = chromiumForTests()
  const parts: Partial<Parts> = {}
  const ends: (() => unknown)[] = []
  function part<N extends keyof Parts>(name: N): Parts[N] {
    const found = parts[name]
    if (found === undefined) throw new Error(`The suite has not begun: there is no ${name} yet.`)
    return found
  }

  async function start(): Promise<void> {
    const opened = await (options.host ?? plainHost)()
    ends.push(opened.dispose)
    const { host } = opened
    const repo = await createRepository(options.files)
    ends.push(repo.dispose)
    const { settings = {}, bypassCsp = false, standIn = {} } = options
    const chosen = settings === 'first start' ? {} : { settings: { welcomed: true, ...settings } }
    const app = await startDeskUnderTest(shell, { host, chromium, bypassCsp, standIn, ...chosen })
    ends.push(app.dispose)
    const local = await host.connect()
    ends.push(() => local.close())
    Object.assign(parts, { host, repo, app, local, page: await openWindow(app) })
  }

  const suite: DeskSuite = {
    shell,
    get host() {
      return part('host')
    },
    get local() {
      return part('local')
    },
    get app() {
      return part('app')
    },
    get page() {
      return part('page')
    },
    get repo() {
      return part('repo')
    },
    async restart() {
      await suite.app.end()
      await suite.app.start()
      parts.page = await openWindow(suite.app)
    },
    async dispatch(title, steps, on = suite.local) {
      const plan = steps.map((step) => `demo: ${step}`).join('\n')
      return (await dispatchDemo(on, suite.repo.path, plan, { title })).id
    },
    async cancel(task, on = suite.local) {
      await on.call('task.cancel', { requestId: requestId(), task })
    },
  }
  return {
    suite,
    start,
    windowNow: () => parts.page,
    /** Everything that was started goes, newest first. */
    async end() {
      for (const dispose of ends.splice(0).reverse()) await dispose()
    },
  }
}

async function plainHost() {
  const host = await startHost()
  return { host, dispose: host.dispose }
}

/** The main window, once it knows its hosts. */
async function openWindow(app: DeskUnderTest): Promise<Page> {
  const page = await app.page()
  await page.locator('nav').first().getByRole('listitem').first().waitFor({ timeout: PATIENCE_MS })
  return page
}
