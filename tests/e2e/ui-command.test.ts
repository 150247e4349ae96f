import { spawn, type ChildProcess } from 'node:child_process'
import path from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { jsonShapes } from '../../cli/json-shapes.ts'
import { deskAddressSchema } from '../../shared/node/desk-control.ts'
import { startHost, type TestHost } from '../support/agentd.ts'
import { closeCode, openWindow, signIn } from '../support/desk-client.ts'
import { requires } from '../support/requirements.ts'

const needs = requires('git', 'tmux')
const cli = path.resolve(import.meta.dirname, '../../dist/cli.js')
/** Marks of agents, which the shell that runs the tests may have. */
const MARKS =
  /^(CLAUDE|OPENCODE|CODEX|CURSOR|GEMINI|QWEN|KIMI|AI_AGENT|HANDOFF_TASK|SSH_CONNECTION|DISPLAY|WAYLAND_DISPLAY)/

let host: TestHost
beforeAll(async () => {
  if (!needs.skip) host = await startHost()
})
afterAll(async () => {
  await host?.dispose()
})

const personEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(host.environment).filter(([name]) => !MARKS.test(name)))

const run = (args: string[], env: NodeJS.ProcessEnv = {}) =>
  execa(process.execPath, [cli, ...args], {
    env: { ...personEnvironment(), ...env },
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
  })

/** `handoff ui` as a person starts it; ended when the test is over. */
async function startUi(...args: string[]): Promise<{ child: ChildProcess; line: string }> {
  const child = spawn(process.execPath, [cli, ...args], {
    env: personEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await gone
  })
  const line = await new Promise<string>((resolve, reject) => {
    let text = ''
    let errors = ''
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')))
    })
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
    child.once('exit', (code) => reject(new Error(`handoff ui ended with ${code}: ${text}${errors}`)))
  })
  return { child, line }
}

describe.skipIf(needs.skip)(needs.title('handoff ui'), () => {
  it('prints one line for programs, is found by a second one, and ends with Ctrl-C', async () => {
    const { child, line } = await startUi('ui', '--no-open', '--json')
    const first = deskAddressSchema.parse(JSON.parse(line))
    const second = await run(['ui', '--no-open', '--json'])
    expect(second.exitCode).toBe(0)
    const found = jsonShapes['ui open'].parse(JSON.parse(second.stdout))
    expect(found).toMatchObject({ port: first.port, pid: first.pid })
    expect(found.url).not.toBe(first.url)
    const exit = new Promise((resolve) => child.once('exit', (code) => resolve(code)))
    child.kill('SIGINT')
    expect(await exit).toBe(0)
    expect((await run(['ui', 'sessions'])).stderr).toContain('desk_not_running')
  })

  it('lists who is signed in, and signs them out', async () => {
    const { line } = await startUi('ui', '--no-open', '--json')
    const { url, port } = deskAddressSchema.parse(JSON.parse(line))
    const opened = await openWindow(port, await signIn(port, url))
    if (opened.kind === 'refused') throw new Error('refused')
    const list = async () =>
      jsonShapes['ui sessions'].parse(JSON.parse((await run(['ui', 'sessions', '--json'])).stdout)).sessions
    const [session] = await list()
    expect(session).toMatchObject({ windows: 1 })
    const closed = closeCode(opened.socket)
    const revoked = await run(['ui', 'revoke', session?.id.slice(0, 6) ?? '', '--json'])
    expect(JSON.parse(revoked.stdout)).toEqual({ v: 1, id: session?.id, closedWindows: 1 })
    expect(await closed).toBe(4401)
    expect(await list()).toEqual([])
  })

  it('tells a person at another machine how to come here', async () => {
    const { line } = await startUi('ui')
    expect(line).toMatch(/The desk is open: http:\/\/127\.0\.0\.1:\d+\/#ticket=[\w-]{43}$/)
    const again = await run(['ui'])
    // No `handoff` in PATH leads here, so the command is named as it can be run.
    expect(again.stdout).toMatch(/For another one: \S*\/bin\/handoff --home \S+ ui\n/)
    expect(again.stdout).toMatch(/ssh -L (\d+):127\.0\.0\.1:\1 /)
  })

  it.each([
    ['a mark of an agent', { AI_AGENT: '1' }],
    ['the mark of a task', { HANDOFF_TASK: '3fa2c1d0-0000-4000-8000-000000000000' }],
  ])('is refused to %s', async (_what, env) => {
    const { exitCode, stderr, stdout } = await run(['ui', '--no-open'], env)
    expect(exitCode).toBe(1)
    expect(stderr).toContain('person_required')
    expect(stdout).toBe('')
  })

  it('names a port that another program uses', async () => {
    const { line } = await startUi('ui', '--no-open', '--json')
    const { port } = deskAddressSchema.parse(JSON.parse(line))
    const elsewhere = path.join(host.root, 'other-home')
    const taken = await run(['ui', '--no-open', '--port', String(port), '--home', elsewhere])
    expect(taken.exitCode).toBe(1)
    expect(taken.stderr).toContain('port_taken')
    expect((await run(['ui', '--port', 'x'])).exitCode).toBe(2)
  })
})
