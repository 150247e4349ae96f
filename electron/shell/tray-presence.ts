import { execa } from 'execa'

/**
 * Whether this desktop shows tray icons. macOS and Windows always do. Linux desktops do when somebody owns the name of the
 * tray on the session bus (https://www.freedesktop.org/wiki/Specifications/StatusNotifierItem); Electron does not say.
 * Where it cannot be found out, the answer is no: a window that is put down can be found again, a hidden one cannot.
 */
export async function hasTray(platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): Promise<boolean> {
  if (platform !== 'linux') return true
  const { stdout, failed } = await execa(
    'gdbus',
    [
      ...['call', '--session', '--timeout', '2', '--dest', 'org.freedesktop.DBus'],
      ...['--object-path', '/org/freedesktop/DBus', '--method', 'org.freedesktop.DBus.NameHasOwner'],
      'org.kde.StatusNotifierWatcher',
    ],
    { env: environment, extendEnv: false, reject: false, timeout: 3_000, stdin: 'ignore' },
  )
  return !failed && stdout.includes('true')
}
