import { spawn, type ChildProcess } from 'node:child_process'
import { chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { execa } from 'execa'
import { sshdPath } from './requirements.ts'
import { createTempDir } from './temp.ts'
import { until } from './until.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** A real OpenSSH server on loopback that lets the present user in with a key made for this run. */
export type Sshd = {
  /** The name to connect to: `ssh <sshArgs> <host>`. */
  host: string
  port: number
  /** The client configuration; `sshArgs` is `['-F', configFile]`. */
  configFile: string
  sshArgs: string[]
  /** A folder with an `ssh` that always uses `configFile`. Put it first in PATH for programs that call plain `ssh`. */
  pathDir: string
  /** Ends every open connection, as a failing network would, and keeps listening. */
  dropConnections(): Promise<void>
  dispose(): Promise<void>
}

/**
 * Starts sshd on a free port of 127.0.0.1. Commands run over it find this repository's `handoff` and the pinned Node in
 * PATH and get `env` besides. Works for root and for a normal user, who can then log in only as themselves.
 */
export async function startSshd({ env = {} }: { env?: Record<string, string> } = {}): Promise<Sshd> {
  const program = sshdPath()
  if (!program) throw new Error('sshd is not installed; guard the spec with requires("sshd").')
  const dir = await createTempDir('sshd-')
  // Root's sshd separates privileges in this folder, which only the service's own start creates.
  if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true, mode: 0o755 })
  await makeKeys(dir.path)
  const port = await freePort()
  await writeServerConfig({ dir: dir.path, port, env })
  const { configFile, pathDir } = await writeClientConfig(dir.path, port)
  const server = spawn(program, ['-D', '-f', `${dir.path}/sshd_config`, '-E', `${dir.path}/sshd.log`], {
    stdio: 'ignore',
  })
  try {
    await until('sshd to greet', () => greets(port))
  } catch (error) {
    server.kill('SIGKILL')
    throw new Error(`sshd did not start: ${await readFile(`${dir.path}/sshd.log`, 'utf8')}`, { cause: error })
  }
  const dropConnections = async () => {
    for (const pid of await descendants(server.pid)) kill(pid, 'SIGKILL')
  }
  return {
    host: 'handoff-test',
    port,
    configFile,
    sshArgs: ['-F', configFile],
    pathDir,
    dropConnections,
    async dispose() {
      await dropConnections()
      await stop(server)
      await dir.dispose()
    },
  }
}

async function makeKeys(dir: string): Promise<void> {
  for (const name of ['host_key', 'client_key'])
    await execa('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path.join(dir, name)])
  await copyFile(path.join(dir, 'client_key.pub'), path.join(dir, 'authorized_keys'))
}

async function writeServerConfig(needs: { dir: string; port: number; env: Record<string, string> }) {
  const { dir, port, env } = needs
  const searchPath = [path.join(root, 'bin'), path.join(root, 'node_modules/.bin'), process.env['PATH'] ?? '']
  const variables = { PATH: searchPath.join(':'), ...env }
  const setEnv = Object.entries(variables).map(([name, value]) => `"${name}=${value}"`)
  const lines = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${dir}/host_key`,
    `PidFile ${dir}/sshd.pid`,
    `AuthorizedKeysFile ${dir}/authorized_keys`,
    'PermitRootLogin prohibit-password',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'UsePAM no',
    // The temporary folder's parents are writable by everybody, which sshd would otherwise refuse.
    'StrictModes no',
    'PrintMotd no',
    // Tests open many connections at once; the defaults begin to refuse at ten.
    'MaxStartups 200',
    'MaxSessions 200',
    `SetEnv ${setEnv.join(' ')}`,
    'LogLevel VERBOSE',
  ]
  await writeFile(`${dir}/sshd_config`, `${lines.join('\n')}\n`)
}

async function writeClientConfig(dir: string, port: number) {
  const configFile = path.join(dir, 'ssh_config')
  const lines = [
    'Host handoff-test',
    '  HostName 127.0.0.1',
    `  Port ${port}`,
    `  User ${os.userInfo().username}`,
    `  IdentityFile ${dir}/client_key`,
    '  IdentitiesOnly yes',
    '  IdentityAgent none',
    `  UserKnownHostsFile ${dir}/known_hosts`,
    '  StrictHostKeyChecking accept-new',
    '  BatchMode yes',
    '  ConnectTimeout 5',
  ]
  await writeFile(configFile, `${lines.join('\n')}\n`)
  const pathDir = path.join(dir, 'bin')
  await mkdir(pathDir)
  const { stdout: realSsh } = await execa('sh', ['-c', 'command -v ssh'])
  await writeFile(path.join(pathDir, 'ssh'), `#!/bin/sh\nexec '${realSsh}' -F '${configFile}' "$@"\n`)
  await chmod(path.join(pathDir, 'ssh'), 0o755)
  return { configFile, pathDir }
}

/** A port that was free a moment ago; sshd cannot be asked to choose one itself. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })
}

function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1')
    const answer = (value: boolean) => {
      socket.destroy()
      resolve(value)
    }
    socket.once('data', (data) => answer(data.toString().startsWith('SSH-')))
    socket.once('error', () => answer(false))
  })
}

/** Every process below `parent`, deepest last. A connection's processes leave the server's group, so a group kill misses them. */
async function descendants(parent: number | undefined): Promise<number[]> {
  const { stdout } = await execa('ps', ['-A', '-o', 'pid=,ppid='])
  const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number))
  const found: number[] = []
  let level = parent === undefined ? [] : [parent]
  while (level.length > 0) {
    const next = rows.flatMap(([pid, ppid]) => (pid !== undefined && level.includes(ppid ?? -1) ? [pid] : []))
    found.push(...next)
    level = next
  }
  return found
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // It ended between being listed and being killed: what was wanted.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function stop(server: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (server.exitCode !== null || server.signalCode !== null) return resolve()
    server.once('exit', () => resolve())
    server.kill('SIGTERM')
  })
}
