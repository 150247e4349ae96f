import path from 'node:path'
import type { WishedNotification } from '../../electron/services/attention/types.ts'
import { createDesk } from '../../electron/services/desk/desk.ts'
import type { DeskEvent } from '../../electron/services/desk/types.ts'
import { createFileSecrets } from '../../electron/services/hosts/file-secrets.ts'
import type { DeskPlatform } from '../../electron/services/platform.ts'
import { forkPtyHostWithNode } from '../../electron/services/terminals/fork-node.ts'
import { fromWireError } from '../../shared/errors.ts'
import type { IpcEventName, IpcInput, IpcCallName, IpcOutput } from '../../shared/ipc.ts'
import { homePaths } from '../../shared/node/home.ts'
import { processEnvironment } from '../../shared/node/process-environment.ts'
import { until } from './until.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** The services of a desk on a home, in this process, with a shell that only writes down. `dispose` ends them. */
export async function openDeskServices(home: string, environment: NodeJS.ProcessEnv = {}) {
  const events: DeskEvent[] = []
  const shown: WishedNotification[] = []
  const withdrawn: string[] = []
  const opened: string[] = []
  const platform: DeskPlatform = {
    shell: 'browser',
    systemLocale: 'en',
    secrets: createFileSecrets(path.join(home, 'desk/tokens')),
    notifier: {
      isSupported: () => true,
      show(wish) {
        shown.push(wish)
        return { outcome: 'shown' }
      },
      withdraw: (key) => void withdrawn.push(key),
    },
    forkPtyHost: forkPtyHostWithNode(path.join(root, 'dist/pty-host.js')),
    openExternal: (url) => Promise.resolve(void opened.push(url)),
    openPath: (file) => Promise.resolve((opened.push(file), { opened: true })),
    pickFolder: undefined,
    launchAtLogin: undefined,
    globalShortcut: undefined,
    sessions: undefined,
  }
  const desk = await createDesk({
    home: homePaths({ HANDOFF_HOME: home }),
    environment: { ...processEnvironment(), HANDOFF_DEMO_PACE: 'fast', ...environment },
    platform,
    installation: {
      node: process.execPath,
      dist: path.join(root, 'dist'),
      command: path.join(root, 'bin/handoff'),
      version: '0.0.0-test',
    },
  })
  desk.onEvent((event) => events.push(event))

  /** A call of the window `test`; throws what the desk answers as an error. */
  async function call<N extends IpcCallName>(name: N, input: IpcInput<N>): Promise<IpcOutput<N>> {
    const answer = await desk.call({ name, input }, { windowId: 'test' })
    if (!answer.ok) throw fromWireError(answer.error)
    return answer.value as IpcOutput<N>
  }

  return {
    desk,
    call,
    events,
    shown,
    withdrawn,
    opened,
    /** Events of one name so far. */
    eventsOf: (name: IpcEventName) => events.filter((event) => event.name === name),
    /** Waits until a host is live and this desk may answer for the person there. */
    untilPaired: (host = 'local') =>
      until(
        `${host} to be live and paired`,
        async () => {
          const { hosts } = await call('host.list', {})
          const found = hosts.find(({ name }) => name === host)
          return found?.state.kind === 'live' && found.role === 'user'
        },
        { timeoutMs: 30_000 },
      ),
    dispose: () => desk.dispose(),
  }
}

/** The services of a desk in a test. */
export type TestDeskServices = Awaited<ReturnType<typeof openDeskServices>>
