import { extractAll, extractFile, listPackage } from '@electron/asar'
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { execa } from 'execa'
import { fork, spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { gatherPayload } from '../../electron/services/install/payload.ts'
import { createPathCommand } from '../../electron/services/tasks/path-command.ts'
import { hostPrograms } from '../../electron/shell/host-part.ts'
import { homePaths } from '../../shared/node/home.ts'
import { connectHost } from '../../shared/node/host-client/connection.ts'
import { fromPtyHostSchema } from '../../shared/pty-messages.ts'
import { VERSION } from '../../shared/version.ts'
import { packageClosure } from '../../scripts/package/closure.mjs'
import { writeElectronDist } from '../support/electron-dist.ts'
import { requires } from '../support/requirements.ts'
import { createTempDir, tempDirForTest, type TempDir } from '../support/temp.ts'
import { createTmuxPlace, type TmuxPlace } from '../support/tmux.ts'
import { until } from '../support/until.ts'

const root = path.resolve(import.meta.dirname, '../..')
const script = path.join(root, 'scripts/package.mjs')
const electron = createRequire(import.meta.url)('electron/package.json') as { version: string }
const own = `linux-${process.arch}`
/** What no part of a package has inside. */
const UNWANTED =
  /\.(map|tsx?|mts|cts|md|pdb|gyp|lock)$|(^|\/)(tests?|fixtures|scripts|tools|benchmarks|coverage|\.bin)(\/|$)|\.test\./
const linux = requires('linux')

let folder: TempDir
let app: string
let resources: string
let host: string

/** Every file below a folder, by its path from there. */
const filesBelow = (from: string): string[] =>
  readdirSync(from, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(from, path.join(entry.parentPath, entry.name)))

const sizeOf = (from: string): number =>
  filesBelow(from).reduce((sum, name) => sum + statSync(path.join(from, name)).size, 0)

/** The files of the archive, without its folders. */
function archived(): string[] {
  const names = listPackage(path.join(resources, 'app.asar'), { isPack: false }).map((name) => name.slice(1))
  const folders = new Set(names.map((name) => path.dirname(name)))
  return names.filter((name) => !folders.has(name))
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  await gone
}

describe.skipIf(linux.skip)(linux.title('the packaged app'), () => {
  beforeAll(async () => {
    folder = await createTempDir()
    const output = path.join(folder.path, 'out')
    app = path.join(output, 'linux-unpacked')
    resources = path.join(app, 'resources')
    host = path.join(resources, 'host')
    const electronDist = path.join(folder.path, 'electron')
    await writeElectronDist(electronDist, electron.version)
    const args = ['--no-build', '--dir', `-c.electronDist=${electronDist}`, `-c.directories.output=${output}`]
    const made = await execa(process.execPath, [script, ...args], {
      cwd: folder.path,
      all: true,
      reject: false,
    })
    expect(made.exitCode, made.all).toBe(0)
  }, 120_000)
  afterAll(() => folder.dispose())

  it('has in its archive what runs in Electron, and nothing else', () => {
    const names = archived()
    expect(names.filter((name) => UNWANTED.test(name))).toEqual([])
    expect(names.filter((name) => name.endsWith('.node'))).toEqual([
      `node_modules/better-sqlite3/prebuilds/${own}.node`,
      `node_modules/node-pty/prebuilds/${own}/pty.node`,
    ])
    const outside = names.filter((name) => !/^(node_modules|dist\/renderer)\//.test(name))
    expect(outside).toEqual(['dist/main.js', 'dist/preload.cjs', 'dist/pty-host.js', 'package.json'])
    expect(names).toContain('dist/renderer/index.html')
    const unpacked = filesBelow(path.join(resources, 'app.asar.unpacked'))
    // electron-builder unpacks a package with native parts as a whole.
    const native = names.filter((name) => /^node_modules\/(better-sqlite3|node-pty)\//.test(name))
    expect(unpacked.sort()).toEqual(native.sort())
  })

  it('has every package there that the main program loads, with what those need', () => {
    const archive = path.join(resources, 'app.asar')
    const main = extractFile(archive, 'dist/main.js').toString()
    const imported = [...main.matchAll(/^import .*?from "([^".][^"]*)";$/gm)].map(([, name]) => name ?? '')
    const loaded = imported.filter((name) => !name.startsWith('node:') && name !== 'electron')
    expect(loaded).toContain('better-sqlite3')
    const needed = packageClosure(root, [...loaded, 'electron-updater', 'node-pty'], ['node-addon-api'])
    // By name: electron-builder may put a nested package higher up.
    const named = (folders: string[]): string[] =>
      [...new Set(folders.map((name) => name.replace(/^.*node_modules\//, '')))].sort()
    const carried = archived().filter((name) => /node_modules\/(@[^/]+\/)?[^/]+\/package\.json$/.test(name))
    expect(named(carried.map((name) => path.dirname(name)))).toEqual(named(needed))
    const manifest = JSON.parse(extractFile(archive, 'package.json').toString()) as Record<string, unknown>
    expect(manifest).toMatchObject({ version: VERSION, main: 'dist/main.js' })
    expect(Object.keys(manifest)).not.toContain('devDependencies')
  })

  it('has beside it what runs on plain Node, with the parts for hosts it may be installed on', () => {
    const names = filesBelow(host)
    expect(names.filter((name) => UNWANTED.test(name) && !/licen[cs]e\.md$/i.test(name))).toEqual([])
    expect(names.filter((name) => name.endsWith('.node')).sort()).toEqual([
      ...['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'linuxmusl-arm64', 'linuxmusl-x64'].map(
        (name) => `node_modules/better-sqlite3/prebuilds/${name}.node`,
      ),
      `node_modules/node-pty/prebuilds/${own}/pty.node`,
    ])
    expect(readdirSync(host).sort()).toEqual(['bin', 'build', 'dist', 'node', 'node_modules', 'package.json'])
    expect(readFileSync(path.join(host, 'build'), 'utf8')).toMatch(/^\d+\.\d+\.\d+-[0-9a-f]{10}\n$/)
    expect(names).not.toContain('dist/main.js')
  })

  it('can install itself on other machines, and brings Node to those that are like this one', () => {
    const installation = { ...hostPrograms(host, 'linux'), version: VERSION }
    for (const platform of [
      { system: 'darwin', arch: 'arm64' },
      { system: 'linuxmusl', arch: 'x64' },
    ] as const)
      expect(gatherPayload({ installation, platform, withNode: false }).hasNode).toBe(false)
    const alike = { system: 'linux', arch: process.arch as 'x64' | 'arm64' } as const
    const names = gatherPayload({ installation, platform: alike, withNode: true }).entries.map(
      ({ name }) => name,
    )
    expect(names).toEqual(expect.arrayContaining(['bin/handoff', 'dist/agentd.js', 'node/bin/node']))
  })

  it('brings the tray images of its system, and no path of the machine it was made on', () => {
    expect(readdirSync(path.join(resources, 'tray'))).toEqual(
      readdirSync(path.join(root, 'resources/tray/linux')),
    )
    for (const file of ['app.asar', 'host/dist/agentd.js', 'host/dist/cli.js', 'host/package.json'])
      expect(readFileSync(path.join(resources, file)).includes(`${root}/`), file).toBe(false)
  })

  it('is not larger than it has to be', () => {
    expect(statSync(path.join(resources, 'app.asar')).size).toBeLessThan(10_000_000)
    expect(sizeOf(resources)).toBeLessThan(200_000_000)
    expect(sizeOf(path.join(host, 'node_modules'))).toBeLessThan(20_000_000)
  })

  it('has the fuses set that keep others from running code in it', async () => {
    const { version: _version, ...wire } = await getCurrentFuseWire(path.join(app, 'handoff-desk'))
    const on = Object.entries(wire).filter(([, state]) => String.fromCharCode(Number(state)) === '1')
    expect(on.map(([fuse]) => FuseV1Options[Number(fuse)])).toEqual([
      'EnableCookieEncryption',
      'EnableEmbeddedAsarIntegrityValidation',
      'OnlyLoadAppFromAsar',
      // As Electron is delivered: the app brings no snapshot of its own.
      'LoadBrowserProcessSpecificV8Snapshot',
    ])
  })

  it('has packages that are whole', async () => {
    const to = path.join(await tempDirForTest(), 'app')
    extractAll(path.join(resources, 'app.asar'), to)
    // The updater asks for Electron when it is loaded, and for more than its name when it works.
    await mkdir(path.join(to, 'node_modules/electron'))
    await writeFile(path.join(to, 'node_modules/electron/index.js'), 'exports.app = {}\n')
    const program = `
      import Database from 'better-sqlite3'
      import pty from 'node-pty'
      import { pino } from 'pino'
      import updater from 'electron-updater'
      pino().info('said')
      console.log(new Database(':memory:').prepare('SELECT 6 * 7 AS n').get().n, typeof pty.spawn, typeof updater.AppImageUpdater)`
    const node = path.join(host, 'node/bin/node')
    const { stdout } = await execa(node, ['--input-type=module', '-e', program], { cwd: to })
    expect(stdout).toMatch(/"msg":"said"}\n42 function function$/)
  })

  describe('and its host part', () => {
    let tmux: TmuxPlace
    let home: string
    let environment: NodeJS.ProcessEnv
    let agentd: ChildProcess
    /** The command as the settings link it, with a PATH on which there is no Node. */
    let handoff: string

    beforeAll(async () => {
      tmux = await createTmuxPlace()
      home = path.join(folder.path, 'h')
      const tools = path.join(folder.path, 'tools')
      await mkdir(tools)
      for (const tool of ['dirname', 'readlink', 'uname', 'git', 'tmux', 'ps', 'sh']) {
        const { stdout } = await execa('/bin/sh', ['-c', 'command -v "$0"', tool], { reject: false })
        if (stdout !== '') await symlink(stdout, path.join(tools, tool))
      }
      environment = { ...tmux.environment, PATH: tools, SHELL: '/bin/sh', HANDOFF_HOME: home }
      const { command } = hostPrograms(host, 'linux')
      handoff = createPathCommand({ command, environment }).install().path
      agentd = spawn(path.join(host, 'node/bin/node'), [path.join(host, 'dist/agentd.js'), 'run'], {
        env: environment,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let said = ''
      agentd.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()))
      await until('agentd to be ready', () => said.includes('agentd ready'), { timeoutMs: 30_000 })
    })
    afterAll(async () => {
      await end(agentd)
      await tmux.dispose()
    })

    const run = (...args: string[]) => execa(handoff, args, { env: environment, extendEnv: false })

    it('runs agentd', async () => {
      const { socket } = homePaths({ HANDOFF_HOME: home })
      const connection = await connectHost({
        address: { kind: 'unix', path: socket },
        clientId: 'test',
        kind: 'test',
        name: 'test',
        version: VERSION,
      })
      onTestFinished(() => connection.close())
      expect(await connection.call('host.info', {})).toMatchObject({ version: VERSION })
    })

    it('runs the command without a Node on the machine', async () => {
      expect((await run('--version')).stdout).toBe(VERSION)
      expect(JSON.parse((await run('--json', 'tasks')).stdout)).toMatchObject({ tasks: [] })
    })

    it('serves the desk to a browser', async () => {
      const shell = spawn(handoff, ['ui', '--no-open'], {
        env: environment,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      onTestFinished(() => end(shell))
      let said = ''
      for (const output of [shell.stdout, shell.stderr])
        output.on('data', (chunk: Buffer) => (said += chunk.toString()))
      const origin = await until('the address', () => /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0], {
        timeoutMs: 30_000,
      })
      const page = await fetch(`${origin}/`)
      expect(page.status).toBe(200)
      const assets = [...(await page.text()).matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)]
      expect(assets.length).toBeGreaterThan(0)
      for (const [, asset] of assets)
        expect((await fetch(new URL(asset ?? '', `${origin}/`))).status, asset).toBe(200)
    })

    it('opens terminals', async () => {
      const ptyHost = fork(path.join(host, 'dist/pty-host.js'), [], {
        execPath: path.join(host, 'node/bin/node'),
        execArgv: [],
        env: environment,
        serialization: 'advanced',
      })
      onTestFinished(() => end(ptyHost))
      let said = ''
      ptyHost.on('message', (message) => {
        const heard = fromPtyHostSchema.parse(message)
        if (heard.t === 'data') said += Buffer.from(heard.data).toString()
        if (heard.t === 'refused') said += heard.why
      })
      const argv = ['/bin/sh', '-c', 'echo is $((6 * 7))']
      ptyHost.send({ t: 'spawn', id: 1, argv, env: {}, cwd: folder.path, cols: 80, rows: 24 })
      await until('the terminal to say something', () => said.includes('\n'))
      expect(said).toContain('is 42')
    })
  })
})

const there = existsSync(path.join(root, 'node_modules/electron/dist'))
it.skipIf(there)('makes no package where Electron cannot be fetched, and says what to do', async () => {
  const { exitCode, stderr } = await execa(process.execPath, [script, '--no-build', '--dir'], {
    env: { ELECTRON_MIRROR: 'http://127.0.0.1:9/', electron_config_cache: await tempDirForTest() },
    reject: false,
  })
  expect(exitCode).toBe(1)
  expect(stderr).toMatch(/^No package was made: .*could not be fetched/)
  expect(stderr).toContain('-c.electronDist=<folder>')
})
