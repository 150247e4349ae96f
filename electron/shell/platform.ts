import { app, dialog, shell, type BrowserWindow } from 'electron'
import path from 'node:path'
import { AppError } from '../../shared/errors.ts'
import type { Home } from '../../shared/node/home.ts'
import type { Notifier } from '../services/attention/types.ts'
import type { DeskPlatform } from '../services/platform.ts'
import type { ShellInstallation } from './installation.ts'
import type { ShellLog } from './log.ts'
import { setLaunchAtLogin } from './login-item.ts'
import { forkPtyHostWith } from './pty-host.ts'
import { createSecretBox, type SystemSecretBox } from './secrets.ts'
import { createGlobalShortcut } from './shortcuts.ts'

/** Needs of the platform. `window` is the one that dialogs belong to. */
export interface ElectronPlatformNeeds {
  home: Home
  environment: NodeJS.ProcessEnv
  installation: ShellInstallation
  log: ShellLog
  notifier: Notifier
  window(): BrowserWindow | undefined
  openWindow(route: string): void
  onShortcut(): void
}

/** What Electron gives to the services. Only after the app is ready. */
export function createElectronPlatform(
  needs: ElectronPlatformNeeds,
): DeskPlatform & { secrets: SystemSecretBox } {
  const { home, environment, installation, log, notifier } = needs
  return {
    shell: 'electron',
    systemLocale: app.getPreferredSystemLanguages()[0] ?? app.getLocale(),
    secrets: createSecretBox({ folder: path.join(home.root, 'desk/secrets'), log }),
    notifier,
    forkPtyHost: forkPtyHostWith({ script: installation.ptyHost, environment, log }),
    openExternal,
    async openPath(file) {
      const why = await shell.openPath(file)
      return why === '' ? { opened: true } : { opened: false, why }
    },
    openWindow: (route) => needs.openWindow(route),
    async pickFolder() {
      const window = needs.window()
      const options: Electron.OpenDialogOptions = { properties: ['openDirectory', 'createDirectory'] }
      const asked = window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options)
      const chosen = await asked
      return chosen.canceled ? undefined : chosen.filePaths[0]
    },
    launchAtLogin: (on) => setLaunchAtLogin(on, environment),
    globalShortcut: createGlobalShortcut(() => needs.onShortcut()),
    sessions: undefined,
  }
}

/** Whatever was checked before: the system is asked to open web pages and to write mails, never to run anything else. */
async function openExternal(url: string): Promise<void> {
  const protocol = URL.parse(url)?.protocol
  if (protocol !== 'https:' && protocol !== 'http:' && protocol !== 'mailto:')
    throw new AppError({
      code: 'bad_request',
      message: 'Only web pages and mail addresses are opened.',
      hint: 'Copy the address, and open it yourself if you trust it.',
    })
  await shell.openExternal(url)
}
