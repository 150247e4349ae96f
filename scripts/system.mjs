import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'

/** Programs of the system that the tests or the demo use, how to see whether they are there, and their package on each system. */
const PROGRAMS = [
  {
    name: 'git',
    present: () => runs('git', '--version'),
    packages: { apt: 'git', dnf: 'git', pacman: 'git', brew: 'git' },
  },
  {
    name: 'tmux',
    present: () => runs('tmux', '-V'),
    packages: { apt: 'tmux', dnf: 'tmux', pacman: 'tmux', brew: 'tmux' },
  },
  {
    name: 'sshd',
    present: () =>
      ['/usr/sbin/sshd', '/usr/local/sbin/sshd', '/usr/bin/sshd', '/opt/homebrew/sbin/sshd'].some((file) =>
        existsSync(file),
      ),
    packages: { apt: 'openssh-server', dnf: 'openssh-server', pacman: 'openssh', brew: 'openssh' },
  },
  {
    name: 'ssh',
    present: () => runs('ssh', '-V'),
    packages: { apt: 'openssh-client', dnf: 'openssh-clients', pacman: 'openssh', brew: 'openssh' },
  },
  // The sshd of the tests and the leftover check list processes with it.
  {
    name: 'ps',
    present: () => runs('ps', '-p', '1'),
    packages: { apt: 'procps', dnf: 'procps-ng', pacman: 'procps-ng', brew: '' },
  },
  // The window is driven in a real browser.
  {
    name: 'chromium',
    present: () =>
      [
        process.env.CHROMIUM_PATH,
        '/usr/bin/chromium',
        '/usr/bin/chromium-browser',
        '/usr/bin/google-chrome-stable',
      ].some((file) => file !== undefined && existsSync(file)) ||
      existsSync('/Applications/Google Chrome.app'),
    packages: { apt: 'chromium', dnf: 'chromium', pacman: 'chromium', brew: '--cask google-chrome' },
  },
  // Without a Chinese font the browser draws boxes, and widths are not what people see.
  {
    name: 'a Chinese font',
    present: () => process.platform !== 'linux' || prints('fc-list', ':lang=zh'),
    packages: {
      apt: 'fonts-noto-cjk fontconfig',
      dnf: 'google-noto-sans-cjk-fonts fontconfig',
      pacman: 'noto-fonts-cjk fontconfig',
      brew: '',
    },
  },
]

/**
 * Installs the missing programs among `names` (default: all) where that needs no password, and says what it does; elsewhere
 * names them with the command. `who` uses them; `otherwise` says what happens without them. With `ask`, a person at the
 * terminal is asked first. Answers the names that are still missing.
 */
export async function installPrograms({ who, otherwise, names, ask = false }) {
  const wanted = PROGRAMS.filter((program) => names === undefined || names.includes(program.name))
  const missing = wanted.filter((program) => !program.present())
  if (missing.length === 0) return []
  console.error(`${who} ${list(missing)}, which this machine does not have.`)
  const privilege = aptPrivilege()
  if (privilege && (!ask || (await agreed(missing)))) installWithApt(missing, privilege)
  const still = missing.filter((program) => !program.present())
  if (still.length === 0) return []
  console.error(`Still missing: ${list(still)}. ${otherwise}`)
  for (const line of commands(still)) console.error(`  ${line}`)
  return still.map((program) => program.name)
}

async function agreed(missing) {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const packages = missing.map((program) => program.packages.apt).join(' ')
  const answer = await terminal.question(`Install it now with apt-get (${packages})? [Y/n] `)
  terminal.close()
  return !/^n/i.test(answer.trim())
}

/** The words before `apt-get`, or undefined when it is not there or would ask for a password. */
function aptPrivilege() {
  if (!runs('apt-get', '--version')) return undefined
  if (process.getuid() === 0) return []
  return runs('sudo', '-n', 'true') ? ['sudo', '-n'] : undefined
}

function installWithApt(missing, privilege) {
  const packages = [...new Set(missing.flatMap((program) => program.packages.apt.split(' ')))]
  const install = ['apt-get', 'install', '-y', '--no-install-recommends', ...packages]
  // The package lists may be missing (fresh container) or old; they are fetched only when installing does not work.
  for (const command of [install, ['apt-get', 'update'], install]) {
    if (command !== install || !missing.every((program) => program.present())) apt(command, privilege)
    if (missing.every((program) => program.present())) return
  }
}

function apt(command, privilege) {
  // sudo clears the environment, so the variable is set behind it.
  const [program, ...args] = [...privilege, 'env', 'DEBIAN_FRONTEND=noninteractive', ...command]
  console.error(`> ${[...privilege, ...command].join(' ')}`)
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: 300_000 })
  if (status !== 0) console.error(`${stdout}${stderr}`.trim().split('\n').slice(-5).join('\n'))
}

function commands(programs) {
  const names = (system) =>
    [...new Set(programs.map((program) => program.packages[system]))].filter(Boolean).join(' ')
  return [
    `Debian, Ubuntu:  sudo apt-get install ${names('apt')}`,
    `Fedora:          sudo dnf install ${names('dnf')}`,
    `Arch:            sudo pacman -S ${names('pacman')}`,
    `macOS:           brew install ${names('brew')}`,
  ]
}

/** Whether a program says anything at all. */
function prints(program, ...args) {
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8' })
  return status === 0 && stdout.trim() !== ''
}

function list(programs) {
  return programs.map((program) => program.name).join(', ')
}

function runs(program, ...args) {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0
}
