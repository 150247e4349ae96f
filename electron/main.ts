// Electron's main process. Everything that decides something lies in services/, everything that touches Electron in shell/;
// here they are put together.
import { app, dialog } from 'electron'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { homePaths, openHome } from '../shared/node/home.ts'
import { languageFor } from '../shared/ipc/language.ts'
import { processEnvironment } from '../shared/node/process-environment.ts'
import { createDesk } from './services/desk/desk.ts'
import type { Desk } from './services/desk/types.ts'
import { wordsOf, type Words } from './services/words/words.ts'
import { fillAboutPanel } from './shell/about.ts'
import { registerAppScheme } from './shell/app-protocol.ts'
import { createDeskShell, type DeskShell } from './shell/desk-shell.ts'
import { findInstallation } from './shell/installation.ts'
import { createShellLog } from './shell/log.ts'
import { startedAtLogin } from './shell/login-item.ts'
import { createNotifier } from './shell/notifications.ts'
import { createElectronPlatform } from './shell/platform.ts'
import { endOrderly } from './shell/quit.ts'
import { claimSingleInstance, registerLinks } from './shell/start-links.ts'
import { followSystemSettings } from './shell/system-settings.ts'
import { hasTray } from './shell/tray-presence.ts'
import { createUpdates } from './shell/updates.ts'

const environment = processEnvironment()
const home = homePaths(environment)

/** Before the app is ready: who we are, where Chromium keeps its files, whether we are the only one, and our scheme. */
function claim(): ReturnType<typeof claimSingleInstance> {
  const profile = path.join(home.root, 'desk/electron')
  mkdirSync(profile, { recursive: true, mode: 0o700 })
  app.setName('Handoff')
  // The lock belongs to this folder: desks of different homes do not get into each other's way.
  app.setPath('userData', profile)
  if (process.platform === 'win32') app.setAppUserModelId('dev.handoff.desk')
  const instance = claimSingleInstance()
  if (instance !== undefined) registerAppScheme()
  return instance
}

async function run(instance: NonNullable<ReturnType<typeof claim>>): Promise<void> {
  await app.whenReady()
  await openHome(home)
  const log = createShellLog(home.logs)
  const installation = findInstallation(import.meta.dirname, environment)
  // Both are asked for things before they are there.
  const made: { desk?: Desk; shell?: DeskShell } = {}
  const words: Words = (key, values) =>
    wordsOf(languageFor(made.desk?.settings.get().language ?? 'system', app.getLocale()))(key, values)
  const notifier = createNotifier({
    words,
    isSilent: () => made.desk?.settings.get().notifications.sound !== true,
    log,
  })
  const platform = createElectronPlatform({
    home,
    environment,
    installation,
    log,
    notifier,
    window: () => made.shell?.mainWindow.current(),
    openWindow: (route) => made.shell?.open(route),
    onShortcut: () => made.shell?.mainWindow.toggle(),
  })
  const desk = await createDesk({ home, environment, installation, platform })
  made.desk = desk
  const shell = createDeskShell({
    desk,
    home,
    installation,
    words,
    notifier,
    updates: createUpdates(log),
    hasTray: await hasTray(process.platform, environment),
    log,
  })
  made.shell = shell
  const stopSettings = followSystemSettings({
    settings: desk.settings,
    platform,
    onShortcutTaken: (keys) =>
      notifier.tell(words('shell.shortcutTakenTitle'), `${words('shell.shortcutTaken')} (${keys})`),
  })
  endOrderly(async () => {
    stopSettings()
    shell.dispose()
    await desk.dispose()
  }, log)
  fillAboutPanel({ version: installation.version, protection: platform.secrets.protection(), words })
  registerLinks(path.join(installation.dist, 'main.js'))
  if (desk.settings.get().startup.openWindow && !startedAtLogin(process.argv)) shell.open()
  instance.listen({
    open: (route) => shell.open(route),
    refused: () => notifier.tell(words('shell.linkTitle'), words('shell.linkRefused')),
  })
  log.info({ version: installation.version, pid: process.pid }, 'the desk is open')
}

const instance = claim()
if (instance === undefined) app.exit(0)
else
  run(instance).catch((error: unknown) => {
    dialog.showErrorBox('Handoff', error instanceof Error ? error.message : String(error))
    app.exit(1)
  })
