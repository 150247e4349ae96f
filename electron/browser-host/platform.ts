import { spawn } from 'node:child_process'
import path from 'node:path'
import { AppError } from '../../shared/errors.ts'
import { createFileSecrets } from '../services/hosts/file-secrets.ts'
import type { DeskPlatform } from '../services/platform.ts'
import { forkPtyHostWithNode } from '../services/terminals/fork-node.ts'

/** What the browser shell gives to the services: files for secrets, no notifications of its own, the desktop where there is one. */
export function createBrowserPlatform({
  deskFolder,
  dist,
  environment,
  sessions,
}: {
  deskFolder: string
  dist: string
  environment: NodeJS.ProcessEnv
  sessions: NonNullable<DeskPlatform['sessions']>
}): DeskPlatform {
  return {
    shell: 'browser',
    systemLocale: Intl.DateTimeFormat().resolvedOptions().locale,
    secrets: createFileSecrets(path.join(deskFolder, 'tokens')),
    // The page itself tells the person, with the means of the browser.
    notifier: {
      isSupported: () => false,
      show: () => ({ outcome: 'unsupported', why: 'the browser shell has no notifications of its own' }),
      withdraw: () => undefined,
    },
    forkPtyHost: forkPtyHostWithNode(path.join(dist, 'pty-host.js')),
    async openExternal(url) {
      const { opened, why } = await open(url, environment)
      if (!opened)
        throw new AppError({
          code: 'no_display',
          message: why ?? 'It could not be opened.',
          hint: `Open it yourself: ${url}`,
        })
    },
    openPath: (target) => open(target, environment),
    pickFolder: undefined,
    launchAtLogin: undefined,
    globalShortcut: undefined,
    sessions,
  }
}

/** Opens an address or a file in the person's own program, where this process has a desktop to do it on. */
function open(target: string, env: NodeJS.ProcessEnv): Promise<{ opened: boolean; why?: string }> {
  const program = process.platform === 'darwin' ? 'open' : 'xdg-open'
  if (process.platform !== 'darwin' && !env['DISPLAY'] && !env['WAYLAND_DISPLAY'])
    return Promise.resolve({ opened: false, why: 'The machine that the desk runs on has no display.' })
  return new Promise((resolve) => {
    const child = spawn(program, [target], { env, stdio: 'ignore', detached: true })
    child.on('error', () => resolve({ opened: false, why: `${program} is not installed there.` }))
    child.on('spawn', () => resolve({ opened: true }))
    child.unref()
  })
}
