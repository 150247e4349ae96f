import { execa, type Options } from 'execa'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jsonShapes, type JsonShapeName } from '../../cli/json-shapes.ts'
import { startHost, type TestHost } from '../support/agentd.ts'
import { createRepository } from '../support/repository.ts'
import { until } from '../support/until.ts'

const CLI = path.resolve(import.meta.dirname, '../../dist/cli.js')
const MARKS = ['CLAUDECODE', 'AI_AGENT', 'HANDOFF_TASK', 'HANDOFF_CLIENT', 'HANDOFF_EXECUTOR']

let host: TestHost
let repo: Awaited<ReturnType<typeof createRepository>>

beforeAll(async () => {
  host = await startHost()
  repo = await createRepository()
})
afterAll(async () => {
  await host.dispose()
  await repo.dispose()
})

function environment(extra: Record<string, string> = {}): NodeJS.ProcessEnv {
  const env = { ...host.environment, ...extra }
  for (const name of MARKS) if (!(name in extra)) delete env[name]
  return env
}

function handoff(args: string[], { env = {}, ...options }: Options & { env?: Record<string, string> } = {}) {
  return execa(process.execPath, [CLI, ...args], {
    cwd: repo.path,
    env: environment(env),
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    timeout: 60_000,
    ...options,
  })
}

/** Runs with `--json`, checks the documented shape, and returns it. */
async function json(name: JsonShapeName, args: string[], options: Parameters<typeof handoff>[1] = {}) {
  const result = await handoff(['--json', ...args], options)
  expect(String(result.stderr)).not.toContain('"error"')
  return jsonShapes[name].parse(JSON.parse(String(result.stdout))) as never as Record<string, never>
}

async function dispatch(steps: string[]): Promise<string> {
  const plan = ['# 深色模式 dark mode', 'demo: fast', ...steps.map((step) => `demo: ${step}`)].join('\n')
  const { task } = (await json('dispatch', [
    'dispatch',
    '--executor',
    'demo',
    '--prompt',
    plan,
  ])) as never as {
    task: { id: string }
  }
  return task.id
}

async function wait(taskId: string, extra: string[] = [], env: Record<string, string> = {}) {
  const result = await handoff(['wait', taskId, '--timeout', '40', ...extra], { env })
  expect(result.exitCode, String(result.stderr)).toBe(0)
  return jsonShapes.wait.parse(JSON.parse(String(result.stdout)))
}

describe('the loop on the command line', () => {
  it('goes from dispatch to done with shortened ids, every output in its documented shape', async () => {
    const taskId = await dispatch([
      'ask-permission git status',
      'question Which? [red|blue]',
      'write a.txt hello',
      'commit One',
    ])
    const ref = taskId.slice(0, 6)

    const asked = await wait(ref)
    expect(asked.event.type).toBe('permission_request')
    expect(asked.next[0]).toMatch(/^handoff reply \S+ --approve$/)
    await json('reply', ['reply', ref, '--approve'])

    expect((await wait(ref)).event.type).toBe('question')
    await json('reply', ['reply', ref, '--option', 'blue'])

    expect((await wait(ref)).event.type).toBe('completed')
    await json('show', ['show', ref])
    await json('tasks', ['tasks', '--all'])
    const diff = await handoff(['diff', ref, '--name-only'])
    expect(String(diff.stdout)).toContain('a.txt')
    await json('diff', ['diff', ref])
    expect(String((await handoff(['fetch', ref, 'a.txt'])).stdout)).toBe('hello')
    await json('fetch', ['fetch', ref, 'a.txt'])
    const run = await handoff(['run', ref, '--', 'sh', '-c', 'echo out; echo err >&2; exit 7'])
    expect([run.stdout, run.stderr, run.exitCode]).toEqual(['out', 'err', 7])
    await json('run', ['run', ref, '--', 'true'])

    await json('continue', ['continue', ref, 'demo: append a.txt more\ndemo: commit Two'])
    expect((await wait(ref)).event.body).toMatchObject({ round: 2 })
    await json('repair', ['repair', ref])
    await json('done', ['done', ref, '--note', 'fine'])
    await json('audit', ['audit', ref])
    await json('rules', ['rules'])
    await json('gc', ['gc', '--dry-run'])
    const shown = String((await handoff(['show', ref])).stdout)
    expect(shown).toContain('✓ done')
    expect(shown).not.toContain('being delivered')
  })

  it('loses no event to a wait that was killed, or whose reader went away', async () => {
    const taskId = await dispatch(['sleep 1500', 'ask-permission git status', 'commit x'])
    const killed = handoff(['wait', taskId])
    await until('the wait to be blocked', async () => ((await killed.pid) ?? 0) > 0)
    killed.kill('SIGKILL')
    await killed
    // A reader that closes its end before anything comes.
    const deaf = execa('sh', ['-c', `"$0" "$1" wait ${taskId} | true; exit 0`, process.execPath, CLI], {
      env: environment(),
      extendEnv: false,
      cwd: repo.path,
      reject: false,
    })
    await until(
      'the ticket',
      async () => {
        const shown = await handoff(['--json', 'show', taskId])
        return (JSON.parse(String(shown.stdout)) as { tickets: unknown[] }).tickets.length > 0
      },
      { timeoutMs: 30_000, intervalMs: 300 },
    )
    await deaf
    expect((await wait(taskId)).event.type).toBe('permission_request')
    // And once printed it is seen: the same client gets no second one, another client its own.
    const again = await handoff(['wait', taskId, '--timeout', '1'])
    expect([again.exitCode, again.stdout]).toEqual([124, ''])
    expect((await wait(taskId, [], { HANDOFF_CLIENT: 'other' })).event.type).toBe('permission_request')
    await handoff(['cancel', taskId, '--yes'])
  })

  it('wakes several waits at once', async () => {
    const taskId = await dispatch(['sleep 2500', 'ask-permission git status', 'commit x'])
    const events = await Promise.all([
      wait(taskId),
      wait(taskId),
      wait(taskId, [], { HANDOFF_CLIENT: 'third' }),
    ])
    expect(new Set(events.map((one) => one.event.seq)).size).toBe(1)
    await handoff(['cancel', taskId])
  })

  it('follows every event once and in order until the task is over, and says by --until-done how it ended', async () => {
    const taskId = await dispatch(['say hello', 'write b.txt b', 'commit B'])
    const followed = handoff(['wait', taskId, '--follow'])
    const ended = handoff(['wait', taskId, '--until-done'])
    await until('the review', async () => (await handoff(['done', taskId])).exitCode === 0, {
      timeoutMs: 40_000,
      intervalMs: 500,
    })
    const lines = String((await followed).stdout)
      .split('\n')
      .map((line) => jsonShapes.wait.parse(JSON.parse(line)))
    const seqs = lines.map((line) => line.event.seq)
    expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b))
    expect(lines.map((line) => line.event.type)).toEqual(
      expect.arrayContaining(['dispatched', 'started', 'completed', 'done']),
    )
    const last = await ended
    expect([
      last.exitCode,
      (JSON.parse(String(last.stdout)) as { event: { type: string } }).event.type,
    ]).toEqual([0, 'done'])
    const cancelled = await dispatch(['sleep 60000'])
    await handoff(['cancel', cancelled])
    expect((await handoff(['wait', cancelled, '--until-done'])).exitCode).toBe(1)
  })

  it('never lets a pipe or an agent answer for the person', async () => {
    const taskId = await dispatch(['ask-permission sudo reboot', 'commit x'])
    expect((await wait(taskId)).audience).toBe('user')
    const piped = await handoff(['--json', 'reply', taskId, '--approve'], {
      input: 'approve\n',
      stdin: 'pipe',
    })
    expect(piped.exitCode).toBe(1)
    expect(JSON.parse(String(piped.stderr))).toMatchObject({ error: { code: 'person_required' } })
    const token = await handoff(['agentd', 'token', 'create', '--role', 'user'])
    expect([token.exitCode, token.stdout]).toEqual([1, ''])
    expect(String(token.stderr)).toContain('[person_required]')
    await handoff(['cancel', taskId])
  })
})

describe('mistakes are told in a sentence', () => {
  it.each([
    [['dispatch'], 2, 'usage'],
    [['show', 'zzz'], 2, 'usage'],
    [['show', 'abcdef0'], 1, 'task_not_found'],
    [['--host', 'nowhere', 'tasks'], 1, 'host_unknown'],
    [['dispatch', '--prompt', 'x', '--executor', 'none'], 1, 'executor_unknown'],
    [['host', 'add', 'x', 'http://x'], 2, 'usage'],
    [['host', 'add', 'x', 'ws://127.0.0.1:1'], 1, 'needs_token'],
    [['demo'], 2, 'usage'],
  ])('%j', async (args, exitCode, code) => {
    const result = await handoff(args)
    expect([result.exitCode, result.stdout]).toEqual([exitCode, ''])
    expect(String(result.stderr)).toContain(`[${code}]`)
    expect(String(result.stderr)).not.toMatch(/^\s+at /m)
  })
})

it('prints its help to a reader that goes away without a complaint', async () => {
  const result = await execa('sh', ['-c', '"$0" "$1" agentd --help | true', process.execPath, CLI], {
    env: environment(),
    extendEnv: false,
  })
  expect(result.stderr).toBe('')
})

it('plays the whole demo by itself and leaves nothing behind', async () => {
  const result = await handoff(['demo', '--auto', '--json'], { timeout: 110_000 })
  expect(result.exitCode, String(result.stderr)).toBe(0)
  const steps = String(result.stdout)
    .split('\n')
    .map((line) => jsonShapes.demo.parse(JSON.parse(line)))
  expect(steps.every((step) => step.ok)).toBe(true)
  expect(steps.map((step) => step.step)).toContain('audit')
})
