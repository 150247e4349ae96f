// The browser shell in a process of its own that also says what it notices: attention, how late its event loop ran, memory.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { startBrowserHost } from '../../../electron/browser-host/browser-host.ts'
import { createDeskLog } from '../../../electron/services/desk/log.ts'
import { createDesk } from '../../../electron/services/desk/desk.ts'
import { askDesk, readDeskClaim } from '../../../shared/node/desk-control.ts'
import { homePaths, type Home } from '../../../shared/node/home.ts'

const root = path.resolve(import.meta.dirname, '../../..')

/**
 * What the process knows of itself. Since it was asked last: `loopMaxMs`, the longest pause of its event loop by the clock, and
 * `loopMaxCpuMs`, the most it worked in one go, which other programs on a busy machine do not change.
 */
export interface DeskFacts {
  loopMaxMs: number
  loopMaxCpuMs: number
  rssMegabytes: number
  heapMegabytes: number
}

type Said = { ready: true } | { badge: number; at: number } | { facts: DeskFacts }

/** A desk on a home. */
export type BenchDesk = Awaited<ReturnType<typeof startBenchDesk>>

/** Starts the browser shell on a home. */
export async function startBenchDesk(home: Home, env: NodeJS.ProcessEnv) {
  const child = fork(fileURLToPath(import.meta.url), [home.root], {
    env,
    execArgv: ['--experimental-strip-types', '--no-warnings', '--expose-gc'],
  })
  process.once('exit', () => child.kill())
  const badges = new Set<(badge: number, at: number) => void>()
  let answerFacts: (facts: DeskFacts) => void = () => undefined
  let ready: () => void = () => undefined
  const isReady = new Promise<void>((resolve) => (ready = resolve))
  child.on('message', (said: Said) => {
    if ('ready' in said) ready()
    else if ('facts' in said) answerFacts(said.facts)
    else for (const hear of badges) hear(said.badge, said.at)
  })
  await Promise.race([
    isReady,
    once(child, 'exit').then(() => Promise.reject(new Error('the desk ended at its start'))),
  ])
  return {
    pid: child.pid ?? 0,
    /** An address with a ticket that was not used. */
    async newUrl(): Promise<string> {
      const claim = readDeskClaim(home.root)
      const answer = claim && (await askDesk(claim, { ask: 'ticket' }))
      if (!answer) throw new Error('no desk runs for this home')
      return answer.url
    },
    /** Hears the number on the icon whenever attention changes, with its time in ms since the epoch. */
    onBadge(hear: (badge: number, at: number) => void): () => void {
      badges.add(hear)
      return () => badges.delete(hear)
    },
    facts(): Promise<DeskFacts> {
      const facts = new Promise<DeskFacts>((resolve) => (answerFacts = resolve))
      child.send('facts')
      return facts
    },
    /** Stops watching how late the event loop runs, which wakes the process up 200 times a second. */
    rest: () => void child.send('rest'),
    /** Ends it at once, as a crash does. */
    async kill(): Promise<void> {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
    async stop(): Promise<void> {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function serve(homeRoot: string): Promise<void> {
  const say = (said: Said) => void process.send?.(said)
  const home = homePaths({ HANDOFF_HOME: homeRoot })
  const started = await startBrowserHost({
    home,
    log: createDeskLog(home.logs),
    environment: process.env,
    installation: {
      node: process.execPath,
      dist: path.join(root, 'dist'),
      command: path.join(root, 'bin/handoff'),
      version: '0.0.0-bench',
    },
    port: undefined,
    async createDesk(needs) {
      const desk = await createDesk(needs)
      desk.onAttention(({ badge }) => say({ badge, at: performance.timeOrigin + performance.now() }))
      return desk
    },
    now: Date.now,
  })
  if (started.kind !== 'serving') throw new Error('a desk runs already')
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const turns = watchTurns()
  process.on('message', (order) => {
    if (order === 'rest') {
      turns.stop()
      return void delay.disable()
    }
    const loopMaxCpuMs = turns.longestMs()
    globalThis.gc?.()
    const { rss, heapUsed } = process.memoryUsage()
    const loopMaxMs = delay.max / 1e6
    say({
      facts: {
        loopMaxMs,
        loopMaxCpuMs,
        rssMegabytes: rss / 1024 / 1024,
        heapMegabytes: heapUsed / 1024 / 1024,
      },
    })
    // Without what the collection itself has cost.
    setTimeout(() => {
      delay.reset()
      turns.reset()
    }, 20)
  })
  const end = () => void started.dispose().then(() => process.exit(0))
  process.once('SIGTERM', end)
  process.once('disconnect', end)
  say({ ready: true })
}

/** The most processor time this thread took between two ticks of a timer: at least what the longest turn of the event loop took. */
function watchTurns() {
  let before = process.threadCpuUsage()
  let longestUs = 0
  const timer = setInterval(() => {
    const now = process.threadCpuUsage()
    longestUs = Math.max(longestUs, now.user + now.system - before.user - before.system)
    before = now
  }, 2)
  return {
    longestMs: () => longestUs / 1_000,
    reset() {
      before = process.threadCpuUsage()
      longestUs = 0
    },
    stop: () => clearInterval(timer),
  }
}

const homeRoot = process.argv[2]
if (process.send && homeRoot && process.argv[1] === fileURLToPath(import.meta.url)) await serve(homeRoot)
