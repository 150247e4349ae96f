import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { AppError } from '../../shared/errors.ts'
import { writePrivateFile } from '../../shared/node/private-file.ts'
import type { ServiceUnit } from './unit.ts'

/** Writes a unit and puts it into force. Returns notes for the person. Throws agentd_not_running where that cannot be. */
export async function installService(unit: ServiceUnit, { home }: { home: string }): Promise<string[]> {
  if (unit.kind === 'systemd') await requireSystemd(unit)
  mkdirSync(dirname(unit.path), { recursive: true })
  mkdirSync(join(home, 'logs'), { recursive: true, mode: 0o700 })
  writePrivateFile(unit.path, unit.text, { mode: 0o644 })
  for (const argv of unit.enable) await runOrSay(argv, unit)
  return unit.kind === 'systemd' ? lingerNotes() : []
}

/** Stops the service and removes its file; `removed` is false when there was none. */
export async function uninstallService(unit: ServiceUnit): Promise<{ removed: boolean }> {
  if (!existsSync(unit.path)) return { removed: false }
  // A service manager that is not there, or does not know the unit, cannot keep us from removing the file.
  for (const [file = '', ...args] of unit.disable) await execa(file, args, { reject: false, stdin: 'ignore' })
  rmSync(unit.path, { force: true })
  if (unit.kind === 'systemd')
    await execa('systemctl', ['--user', 'daemon-reload'], { reject: false, stdin: 'ignore' })
  return { removed: true }
}

async function requireSystemd(unit: ServiceUnit): Promise<void> {
  const result = await execa('systemctl', ['--user', 'is-system-running'], {
    reject: false,
    stdin: 'ignore',
    timeout: 10_000,
  })
  // `degraded` also exits non-zero, so the words count: without a manager there are none, or "offline".
  if (result.code !== 'ENOENT' && /^(running|degraded|starting|initializing|maintenance)/.test(result.stdout))
    return
  throw new AppError({
    code: 'agentd_not_running',
    message:
      result.code === 'ENOENT'
        ? 'There is no systemd on this machine.'
        : 'The systemd of this user does not run.',
    hint: `Commands start agentd by themselves, so a service is not needed. \`handoff agentd start\` starts it now; \`handoff agentd install-service --print\` shows what ${unit.path} would hold.`,
  })
}

async function runOrSay([file = '', ...args]: string[], unit: ServiceUnit): Promise<void> {
  const result = await execa(file, args, { reject: false, stdin: 'ignore', timeout: 30_000 })
  if (!result.failed) return
  throw new AppError({
    code: 'agentd_not_running',
    message: `${[file, ...args].join(' ')} failed: ${result.stderr.trim().split('\n').at(-1) ?? ''}`,
    hint: `${unit.path} is written. Look at the reason, then run the command again.`,
  })
}

/** A user's services end with the last login unless lingering is on. */
async function lingerNotes(): Promise<string[]> {
  const user = userInfo().username
  const result = await execa('loginctl', ['show-user', user, '--property=Linger'], {
    reject: false,
    stdin: 'ignore',
    timeout: 10_000,
  })
  if (result.stdout.trim() === 'Linger=yes') return []
  return [`It stops when you log out. To keep it: sudo loginctl enable-linger ${user}`]
}
