// An agentd in which a bench says what executors ask: the real store, facts and server, without a program behind a task.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { assemble, logPath } from '../../../agentd/assemble.ts'
import { readConfig } from '../../../agentd/config.ts'
import { createHostEnvironment } from '../../../agentd/host-environment.ts'
import { createLogger } from '../../../agentd/log.ts'
import { parseListenAddress } from '../../../agentd/server/listen-address.ts'
import { createTokens } from '../../../agentd/server/tokens.ts'
import { openStore } from '../../../agentd/store/open-store.ts'
import type { Fact } from '../../../shared/domain/fact.ts'
import { homePaths, type Home } from '../../../shared/node/home.ts'
import { taskId } from '../../support/sample-store.ts'
import { askFact } from './desk-home.ts'

type Order =
  | { do: 'ask'; task: number; request: string; text: string }
  | { do: 'close'; task: number; request: string }
  | { do: 'burst'; count: number; tasks: number; overMs: number }
  | { do: 'listen' }
  | { do: 'stop' }

/** What came of an order. `at` and `doneAt` are ms since the epoch, before the first fact and after the last commit. */
export interface Told {
  at: number
  doneAt: number
  /** Where it listens, with a token for a person. */
  ws?: { address: string; token: string }
}

/** Starts it on a filled home, in a process of its own. */
export async function startToldHost(home: Home, env: NodeJS.ProcessEnv) {
  const child = fork(fileURLToPath(import.meta.url), [home.root], {
    env,
    execArgv: ['--experimental-strip-types', '--no-warnings'],
  })
  process.once('exit', () => child.kill())
  const answer = async (): Promise<Told> => {
    const [told] = (await once(child, 'message')) as [Told]
    return told
  }
  await answer()
  const tell = (order: Order): Promise<Told> => {
    const told = answer()
    child.send(order)
    return told
  }
  return {
    ask: (task: number, request: string, text: string) => tell({ do: 'ask', task, request, text }),
    close: (task: number, request: string) => tell({ do: 'close', task, request }),
    /** Opens `count` tickets evenly over `overMs`, on the tasks 1 … `tasks` in turn. */
    burst: (count: number, tasks: number, overMs: number) => tell({ do: 'burst', count, tasks, overMs }),
    /** Listens on loopback too. */
    listen: async () => {
      const { ws } = await tell({ do: 'listen' })
      if (ws === undefined) throw new Error('the host does not listen')
      return ws
    },
    async stop(): Promise<void> {
      if (child.exitCode !== null) return
      const ended = once(child, 'exit')
      child.send({ do: 'stop' } satisfies Order)
      await ended
    },
  }
}

const epochMs = () => performance.timeOrigin + performance.now()

async function serve(homeRoot: string): Promise<void> {
  const home = homePaths({ HANDOFF_HOME: homeRoot })
  const store = openStore({ path: home.database })
  const environment = await createHostEnvironment({
    processEnv: process.env,
    home: home.root,
    requiredFiles: {},
  })
  const log = createLogger({ path: logPath(home) })
  const config = readConfig(`${home.root}/config.json`)
  const parts = await assemble({ home, store, config, environment, log, stop: () => undefined })
  await parts.server.listenUnix(home.socket)

  const apply = (task: number, fact: Fact) => {
    const { kind } = parts.facts.apply(taskId(task), fact)
    if (kind !== 'committed') throw new Error(`task ${task} could not take a fact: ${kind}`)
  }
  const burst = (count: number, tasks: number, overMs: number) =>
    new Promise<void>((resolve) => {
      const startedAt = performance.now()
      let done = 0
      const timer = setInterval(() => {
        const due = Math.min(count, Math.ceil(((performance.now() - startedAt) / overMs) * count))
        for (; done < due; done += 1) {
          const task = (done % tasks) + 1
          apply(task, askFact(task, `burst-${done}`, `npm test -- file-${done}`))
        }
        if (done < count) return
        clearInterval(timer)
        resolve()
      }, 5)
    })
  const listen = async () => {
    const { port } = await parts.server.listenTcp({
      address: parseListenAddress('127.0.0.1:0'),
      yesPublic: false,
    })
    const tokens = createTokens({ store: store.tokens, closeConnections: () => 0, now: Date.now })
    return { address: `ws://127.0.0.1:${port}`, token: tokens.create({ name: 'desk', role: 'user' }).token }
  }
  async function carryOut(order: Exclude<Order, { do: 'stop' }>): Promise<Told['ws']> {
    switch (order.do) {
      case 'ask':
        apply(order.task, askFact(order.task, order.request, order.text))
        return undefined
      case 'close':
        apply(order.task, {
          type: 'request_gone',
          ticketId: `${taskId(order.task)}:${order.request}`,
          reason: 'The bench is done with it.',
        })
        return undefined
      case 'burst':
        await burst(order.count, order.tasks, order.overMs)
        return undefined
      case 'listen':
        return listen()
    }
  }
  async function stop(): Promise<void> {
    parts.retention.dispose()
    await parts.server.stop()
    await parts.engine.dispose()
    store.close()
    process.exit(0)
  }
  process.on('message', (order: Order) => {
    if (order.do === 'stop') return void stop()
    const at = epochMs()
    void carryOut(order).then((ws) =>
      process.send?.({ at, doneAt: epochMs(), ...(ws === undefined ? {} : { ws }) } satisfies Told),
    )
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.({ at: 0, doneAt: 0 } satisfies Told)
}

const homeRoot = process.argv[2]
if (process.send && homeRoot && process.argv[1] === fileURLToPath(import.meta.url)) await serve(homeRoot)
