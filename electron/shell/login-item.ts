import { app } from 'electron'
import { rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { writePrivateFile } from '../../shared/node/private-file.ts'

/** Given to a start by the system; the window then stays closed until it is wanted. */
const HIDDEN = '--hidden'

/** Whether this start was made by the system at login rather than by a person. */
export function startedAtLogin(argv: readonly string[]): boolean {
  if (argv.includes(HIDDEN)) return true
  return process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin
}

/** Starts the desk at login, or no longer: by the system's list, on Linux by a file in the autostart folder (XDG). */
export function setLaunchAtLogin(on: boolean, environment: NodeJS.ProcessEnv): void {
  if (process.platform !== 'linux') {
    app.setLoginItemSettings({ openAtLogin: on, args: [HIDDEN] })
    return
  }
  const config = environment['XDG_CONFIG_HOME'] || path.join(os.homedir(), '.config')
  const file = path.join(config, 'autostart', 'handoff.desktop')
  if (on) writePrivateFile(file, desktopEntry(environment['APPIMAGE'] ?? process.execPath), { mode: 0o644 })
  else rmSync(file, { force: true })
}

/** https://specifications.freedesktop.org/desktop-entry-spec: `"`, `` ` ``, `$` and `\` in a quoted argument are escaped. */
function desktopEntry(program: string): string {
  const quoted = program.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%')
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Handoff',
    // Values are unescaped once more before the argument is read.
    `Exec="${quoted.replaceAll('\\', '\\\\')}" ${HIDDEN}`,
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n')
}
