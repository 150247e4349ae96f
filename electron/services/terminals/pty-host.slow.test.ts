import { fork } from 'node:child_process'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { until } from '../../../tests/support/until.ts'
import { forkPtyHostWithNode } from './fork-node.ts'
import { createPtyHost, type PtyHostNeeds } from './pty-host.ts'
import type { ForkPtyHost, Pty } from './types.ts'

const script = path.resolve(import.meta.dirname, '../../pty-host/main.ts')
const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

/** A pty host whose processes the test can end. */
function start(more: Partial<PtyHostNeeds> = {}) {
  const processes: ReturnType<ForkPtyHost>[] = []
  const fork = forkPtyHostWithNode(script)
  const host = createPtyHost({
    fork: () => {
      const process = fork()
      processes.push(process)
      return process
    },
    ...more,
  })
  cleanups.push(() => host.dispose())
  return { host, processes }
}

const place = { cols: 80, rows: 24, cwd: '/' }
const env = { PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color', LC_ALL: 'C.UTF-8' }

function follow(pty: Pty) {
  const seen = { text: '', chars: 0, longest: 0, exit: undefined as unknown }
  pty.onData((chunk, chars) => {
    const text = Buffer.from(chunk).toString()
    expect(text.length).toBe(chars)
    seen.chars += chars
    seen.longest = Math.max(seen.longest, chars)
    seen.text = (seen.text + text).slice(-200_000)
  })
  pty.onExit((exit) => (seen.exit = exit))
  return seen
}

describe('the pty host', () => {
  it('runs programs in terminals of a given size and tells how they ended', async () => {
    const { host } = start()
    const pty = await host.spawn({
      ...place,
      argv: ['sh', '-c', 'stty size; read line; echo "<$line>"; exit 3'],
      env,
    })
    const seen = follow(pty)
    await until('the size', () => seen.text.includes('24 80'))
    pty.write('héllo 漢字 👍\r')
    await until('its end', () => seen.exit)
    expect(seen.text).toContain('<héllo 漢字 👍>')
    expect(seen.exit).toEqual({ code: 3, signal: undefined, lost: false })
  })

  it('resizes, and hangs up on kill', async () => {
    const { host } = start()
    const pty = await host.spawn({
      ...place,
      argv: ['sh', '-c', 'trap "stty size" WINCH; echo up; while :; do sleep 0.05; done'],
      env,
    })
    const seen = follow(pty)
    await until('the program', () => seen.text.includes('up'))
    pty.resize(101, 33)
    await until('the new size', () => seen.text.includes('33 101'))
    pty.kill()
    await until('its end', () => seen.exit)
    expect(seen.exit).toMatchObject({ lost: false })
  })

  it('keeps characters of several bytes whole under a flood, in batches of at most 64 Ki', async () => {
    const { host } = start()
    const line = '漢字👍🏽é'.repeat(50)
    const count = 20_000
    const argv = ['sh', '-c', `stty -opost; yes "$LINE" | head -n ${count}`]
    const pty = await host.spawn({ ...place, argv, env: { ...env, LINE: line } })
    const seen = follow(pty)
    await until('its end', () => seen.exit, { timeoutMs: 30_000 })
    expect(seen.chars).toBe((line.length + 1) * count)
    expect(seen.longest).toBeLessThanOrEqual(64 * 1024)
    expect(
      seen.text
        .split('\n')
        .slice(1, -1)
        .every((text) => text === line),
    ).toBe(true)
  })

  it('shows what is no UTF-8 as such, in a terminal that speaks UTF-8', async () => {
    const { host } = start()
    const seen = follow(
      await host.spawn({ ...place, argv: ['sh', '-c', "stty -a; printf 'gr\\374n\\342\\202'"], env }),
    )
    await until('its end', () => seen.exit)
    // What a backspace takes away in a password that ssh asks for.
    expect(seen.text).toMatch(/(?<!-)iutf8/)
    expect(seen.text.endsWith('gr\ufffdn\ufffd')).toBe(true)
  })

  it('stops reading while it is paused', async () => {
    const { host } = start()
    const pty = await host.spawn({ ...place, argv: ['sh', '-c', 'yes | head -c 5000000'], env })
    pty.pause()
    const seen = follow(pty)
    const other = follow(await host.spawn({ ...place, argv: ['sh', '-c', 'sleep 0.3; echo later'], env }))
    await until('the other program', () => other.exit)
    expect(seen.exit).toBeUndefined()
    expect(seen.chars).toBeLessThan(300_000)
    pty.resume()
    await until('the end of the flood', () => seen.exit, { timeoutMs: 30_000 })
    expect(seen.chars).toBe(7_500_000)
  })

  it('hands its programs only the environment that was asked for, without secrets of ours', async () => {
    const { host } = start()
    const asked = {
      ...env,
      SHOWN: '1',
      HANDOFF_TOKEN: 's3cret',
      ELECTRON_RUN_AS_NODE: '1',
      NODE_OPTIONS: '--x',
      TMUX: 't',
    }
    const seen = follow(await host.spawn({ ...place, argv: ['sh', '-c', 'env; echo done'], env: asked }))
    await until('its end', () => seen.exit)
    expect(seen.text).toContain('SHOWN=1')
    expect(seen.text).not.toMatch(/HANDOFF_|ELECTRON_|NODE_OPTIONS|NODE_CHANNEL|^TMUX=|VITEST/m)
  })

  it('says why a terminal cannot be opened', async () => {
    const { host } = start()
    const nowhere = follow(await host.spawn({ ...place, argv: ['sh'], cwd: '/nowhere/at/all', env }))
    await until('an end', () => nowhere.exit)
    expect(nowhere.exit).not.toMatchObject({ code: 0 })
    await expect(host.spawn({ ...place, cols: 0, argv: ['sh'], env })).rejects.toMatchObject({
      code: 'terminal_failed',
    })
  })
})

describe('a pty host that dies', () => {
  it('loses its terminals and is started again for the next one', async () => {
    const { host, processes } = start()
    const first = follow(await host.spawn({ ...place, argv: ['sh', '-c', 'sleep 60'], env }))
    const second = follow(await host.spawn({ ...place, argv: ['sh', '-c', 'sleep 60'], env }))
    processes[0]?.kill()
    await until('both to be lost', () => first.exit && second.exit)
    expect([first.exit, second.exit]).toEqual(
      Array(2).fill({ code: undefined, signal: undefined, lost: true }),
    )
    const third = follow(await host.spawn({ ...place, argv: ['sh', '-c', 'echo back'], env }))
    await until('the new terminal', () => third.exit)
    expect(third.text).toContain('back')
    expect(processes).toHaveLength(2)
  })

  it('is started five times in a row at most, and again after a quiet minute', async () => {
    let now = 1_000_000
    const { host, processes } = start({ now: () => now })
    const spawn = () => host.spawn({ ...place, argv: ['sh', '-c', 'sleep 60'], env })
    for (let index = 0; index < 5; index += 1) {
      const seen = follow(await spawn())
      processes.at(-1)?.kill()
      await until('the loss', () => seen.exit)
    }
    await expect(spawn()).rejects.toMatchObject({ code: 'terminal_failed' })
    expect(processes).toHaveLength(5)
    now += 60_000
    await spawn()
    expect(processes).toHaveLength(6)
  })

  it('is ended when it hangs, and its terminals are lost', async () => {
    const { host } = start({ beatMs: 50 })
    const pty = await host.spawn({ ...place, argv: ['sh', '-c', 'echo "<$PPID>"; sleep 60'], env })
    const seen = follow(pty)
    const pid = Number(await until('its pid', () => /<(\d+)>/.exec(seen.text)?.[1]))
    process.kill(pid, 'SIGSTOP')
    await until('the loss', () => seen.exit)
    expect(seen.exit).toMatchObject({ lost: true })
    await until('the process to be gone', () => !isRunning(pid))
  })

  it('goes with its parent, and its programs with it', async () => {
    const parent = fork(path.resolve(import.meta.dirname, '../../../tests/support/pty-parent.ts'), [script], {
      execArgv: [],
    })
    const [host, program] = await new Promise<number[]>((resolve) =>
      parent.once('message', (message) => resolve(message as number[])),
    )
    expect(isRunning(host) && isRunning(program)).toBe(true)
    parent.kill('SIGKILL')
    await until('both to be gone', () => !isRunning(host) && !isRunning(program))
  })
})

function isRunning(pid: number | undefined): boolean {
  try {
    process.kill(pid ?? -1, 0)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}
