import Database from 'better-sqlite3'
import { execFileSync, spawn } from 'node:child_process'
import { chmod, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  dispatchDemo,
  nextWake,
  requestId,
  startHost,
  ticketOf,
  type HostOptions,
  type TestHost,
} from '../support/agentd.ts'
import { createRepository } from '../support/repository.ts'
import { requires } from '../support/requirements.ts'
import { tempDirForTest } from '../support/temp.ts'
import { until } from '../support/until.ts'

const needs = requires('tmux', 'git')
const program = path.resolve(import.meta.dirname, '../../dist/agentd.js')

async function host(options?: HostOptions): Promise<TestHost> {
  const started = await startHost(options)
  onTestFinished(() => started.dispose(), 120_000)
  return started
}

async function repository() {
  const repo = await createRepository()
  onTestFinished(repo.dispose)
  return repo
}

/** Runs agentd to its end and answers what it said. */
function runAgentd(home: string, args: string[] = []): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, 'run', '--home', home, ...args], {
      env: { ...process.env, SHELL: '/bin/sh' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
    // A start that was refused ends by itself; one that was not must not go on for ever.
    child.stdout.on('data', () => child.kill('SIGTERM'))
    child.once('exit', (code) => resolve({ code, output }))
  })
}

describe('starting', () => {
  it('lets only one agentd use a home, and says so to the second', async () => {
    const first = await host()
    const { code, output } = await runAgentd(first.home)
    expect(code).toBe(1)
    expect(output).toMatch(/Another agentd is already running.*\[agentd_running\]/s)
    const connection = await first.connect()
    expect((await connection.call('host.info', {})).pid).toBe(first.pid())
    connection.close()
  })

  it('keeps its home and socket for its own user', async () => {
    const { home, socket } = await host()
    expect((await stat(home)).mode & 0o777).toBe(0o700)
    expect((await stat(socket)).mode & 0o777).toBe(0o600)
    expect((await stat(path.join(home, 'handoff.db'))).mode & 0o777).toBe(0o600)
    expect((await stat(path.join(home, 'logs/agentd.log'))).mode & 0o777).toBe(0o600)
  })

  it('does not start on a broken environment file, and names the line but not the value', async () => {
    const home = await tempDirForTest()
    await chmod(home, 0o700)
    await mkdir(path.join(home, 'env'))
    await writeFile(path.join(home, 'env/demo.env'), 'GOOD=1\nBAD=${NOWHERE_SET}s3cret\n', { mode: 0o600 })
    const { code, output } = await runAgentd(home)
    expect(code).toBe(1)
    expect(output).toMatch(/demo\.env.*2/s)
    expect(output).not.toContain('s3cret')
  })

  it('does not start on a database of a newer version, and leaves it as it is', async () => {
    const home = await tempDirForTest()
    await chmod(home, 0o700)
    const file = path.join(home, 'handoff.db')
    const db = new Database(file)
    db.exec('CREATE TABLE future (x); PRAGMA user_version = 9999')
    db.close()
    const before = await readFile(file)
    const { code, output } = await runAgentd(home)
    expect(code).toBe(1)
    expect(output).toContain('[database_newer]')
    expect((await readFile(file)).equals(before)).toBe(true)
  })

  it('refuses a home that is a link to somewhere unsafe, a bad configuration and a public address', async () => {
    const folder = await tempDirForTest()
    await writeFile(path.join(folder, 'plain'), '')
    await symlink(path.join(folder, 'plain'), path.join(folder, 'link'))
    expect((await runAgentd(path.join(folder, 'link'))).code).toBe(1)
    const home = path.join(folder, 'h')
    await mkdir(home, { mode: 0o700 })
    await writeFile(path.join(home, 'config.json'), '{"watchdogMinutes": "often"}')
    expect((await runAgentd(home)).output).toMatch(/config\.json cannot be used: watchdogMinutes/)
    await rm(path.join(home, 'config.json'))
    expect((await runAgentd(home, ['--listen', '0.0.0.0:0'])).output).toContain('[public_address]')
  })
})

describe.skipIf(needs.skip)(needs.title('running'), () => {
  it('refuses a dispatch whose required environment file is missing, with its path', async () => {
    const missing = path.join(await tempDirForTest(), 'keys.env')
    await writeFile(missing, 'KEY=1\n', { mode: 0o600 })
    const { connect } = await host({ config: { environmentFiles: { demo: [missing] } } })
    const repo = await repository()
    await rm(missing)
    const connection = await connect()
    await expect(dispatchDemo(connection, repo.path, 'demo: hang')).rejects.toMatchObject({
      code: 'environment_file',
      message: expect.stringContaining(missing) as string,
    })
    connection.close()
  })

  it('goes on serving while the database is locked by somebody, and answers once it is free', async () => {
    const { connect, home } = await host()
    const repo = await repository()
    const connection = await connect()
    const task = await dispatchDemo(connection, repo.path, 'demo: ask-permission ls\ndemo: ask end?')
    const asked = await nextWake(connection, task.id)
    const db = new Database(path.join(home, 'handoff.db'))
    onTestFinished(() => void db.close())
    db.exec('BEGIN IMMEDIATE')
    const input = { requestId: requestId(), ticket: ticketOf(asked), answer: { kind: 'approve' as const } }
    await expect(connection.call('ticket.answer', input)).rejects.toMatchObject({ code: 'database_locked' })
    expect((await connection.call('task.get', { task: task.id })).task.state).toBe('waiting_answer')
    db.exec('ROLLBACK')
    expect((await connection.call('ticket.answer', input)).kind).toBe('applied')
    expect((await nextWake(connection, task.id)).event.type).toBe('question')
    connection.close()
  })
})

const root = process.platform === 'linux' && process.getuid?.() === 0
const reason = root ? '' : ' [skipped: mounting a small file system needs root on Linux]'

describe.skipIf(needs.skip || !root)(needs.title(`a full disk${reason}`), () => {
  it('refuses clearly, keeps everything acknowledged, and works again when there is room', async () => {
    const mount = await tempDirForTest()
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6m,mode=700', 'tmpfs', mount])
    onTestFinished(() => void execFileSync('umount', ['-l', mount]))
    const { connect } = await host({ home: path.join(mount, 'h') })
    const repo = await repository()
    const connection = await connect()
    const task = await dispatchDemo(connection, repo.path, 'demo: ask-permission ls\ndemo: ask end?')
    const asked = await nextWake(connection, task.id)
    const { headSeq } = await connection.call('task.list', {})
    execFileSync('sh', ['-c', `dd if=/dev/zero of=${mount}/ballast bs=4k 2>/dev/null || true`])
    const note = (text: string) =>
      connection.call('task.note', { requestId: requestId(), task: task.id, text })
    await expect(
      (async () => {
        for (let n = 0; n < 400; n++) await note(`${n} ${'x'.repeat(15_000)}`)
      })(),
    ).rejects.toMatchObject({ code: 'disk_full' })
    // Reading still works, and what was acknowledged is still there.
    expect((await connection.call('task.list', {})).headSeq).toBeGreaterThanOrEqual(headSeq)
    expect((await connection.call('ticket.get', { ticket: ticketOf(asked) })).ticket.state).toBe('open')
    await rm(path.join(mount, 'ballast'))
    const input = { requestId: requestId(), ticket: ticketOf(asked), answer: { kind: 'approve' as const } }
    await until(
      'an answer is taken again',
      async () => (await connection.call('ticket.answer', input)).kind === 'applied',
    )
    expect((await nextWake(connection, task.id)).event.type).toBe('question')
    connection.close()
  })
})
