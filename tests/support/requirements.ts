import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { opencodeBinary } from './executors.ts'

/** What a spec may need from the machine besides Node and the packages of `npm ci`. */
export type Requirement = 'git' | 'tmux' | 'sshd' | 'linux' | 'opencode' | 'chromium' | 'standin'

/** Whether a spec must be skipped here, and why. `title` puts the reason into the name under which it is skipped. */
export type Requirements = { skip: boolean; reason: string; title(name: string): string }

const checks: Record<Requirement, () => string | undefined> = {
  git: () => program('git', '--version'),
  tmux: () => program('tmux', '-V'),
  sshd: () => (sshdPath() ? program('ssh', '-V') : 'sshd (openssh-server) is not installed'),
  linux: () => (process.platform === 'linux' ? undefined : 'it reads /proc, which only Linux has'),
  opencode() {
    const program = opencodeBinary()
    return 'absent' in program ? program.absent : undefined
  },
  standin: () =>
    process.env['ELECTRON'] === 'real' ? 'only the stand-in for Electron can be told to do it' : undefined,
  chromium: () =>
    chromiumPath() ? undefined : 'Chromium is not installed (package chromium, or CHROMIUM_PATH names one)',
}

/**
 * Says whether everything named is there. Use it so that a skipped spec is named together with its reason:
 * `const needs = requires('tmux'); describe.skipIf(needs.skip)(needs.title('the pane'), …)`.
 */
export function requires(...names: Requirement[]): Requirements {
  const missing = names.flatMap((name) => checks[name]() ?? [])
  const reason = missing.join('; ')
  return {
    skip: missing.length > 0,
    reason,
    title: (name) => (reason ? `${name} [skipped: ${reason}]` : name),
  }
}

/** Where sshd is, or undefined. It must be started by its full path and stands in sbin, which is often not in PATH. */
export function sshdPath(): string | undefined {
  const folders = ['/usr/sbin', '/usr/local/sbin', '/usr/bin', '/opt/homebrew/sbin']
  return folders.map((folder) => path.join(folder, 'sshd')).find((file) => existsSync(file))
}

/** Where a Chromium or Chrome is that pages can be driven in, or undefined. */
export function chromiumPath(): string | undefined {
  return [
    process.env['CHROMIUM_PATH'],
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome-stable',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ].find((file) => file !== undefined && existsSync(file))
}

function program(name: string, versionFlag: string): string | undefined {
  return spawnSync(name, [versionFlag], { stdio: 'ignore' }).status === 0
    ? undefined
    : `${name} is not installed`
}
