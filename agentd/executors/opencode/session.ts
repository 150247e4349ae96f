import { AppError } from '../../../shared/errors.ts'
import type { Delivery, DeliveryOutcome, ExecutorContext, ExecutorSession } from '../adapter.ts'
import type { Tmux } from '../tmux.ts'
import { createSavedState } from './adapter-state.ts'
import { OpencodeHttpError } from './api.ts'
import { createServerProcess } from './server-process.ts'
import { sessionRules, unguardedAgents } from './permission-rules.ts'
import { deliverPrompt } from './prompts.ts'
import { deliverResponse } from './respond.ts'
import { createSerialQueue } from '../serial-queue.ts'
import { refusedStart } from './start-failure.ts'
import { createWatcher, type Watcher, type WatcherSettings } from './watcher.ts'

/** What one opencode at work takes. */
export interface SessionNeeds {
  context: ExecutorContext
  tmux: Tmux
  settings: WatcherSettings
}

const DISPOSED = 'The connection to opencode was let go of.'

/** One opencode at work on one task. */
export function createOpencodeSession({ context, tmux, settings }: SessionNeeds): ExecutorSession {
  const { task } = context
  const saved = createSavedState(context.state)
  const server = createServerProcess({ task, saved, tmux })
  const deliveries = createSerialQueue()
  let watcher: Watcher | undefined
  let disposed = false

  /** Follows the conversation from now on; resolves when what is known has been reported once. */
  async function watch(sessionId: string): Promise<Watcher> {
    if (disposed) throw new AppError({ code: 'cancelled', message: DISPOSED })
    watcher ??= createWatcher({ context, saved, server, sessionId, settings })
    await watcher.firstLook()
    return watcher
  }

  /** The user's configuration may give some agent rights of its own; those are taken back by name. */
  async function guard(): Promise<void> {
    const agents = await server.api().agents()
    const open = unguardedAgents(agents)
    if (open.length === 0) return
    const known = saved.get().agents
    if (open.every((name) => known.includes(name)))
      throw new AppError({
        code: 'executor_failed',
        message: `The opencode configuration lets ${open.join(', ')} act without asking, and this cannot be overridden.`,
        hint: 'Remove the `allow` permissions from the managed opencode configuration of this machine.',
      })
    saved.change({ agents: [...new Set([...known, ...open])] })
    await server.relaunch()
    await server.ensure()
    await guard()
  }

  async function conversation(): Promise<string> {
    const api = server.api()
    const known = saved.get().session
    if (known !== undefined) {
      await api.session(known)
      return known
    }
    // Made before agentd was killed, perhaps.
    const made = (await api.sessions()).find(({ metadata }) => metadata?.['handoffTask'] === task.taskId)
    const session =
      made ??
      (await api.createSession({
        title: task.title,
        metadata: { handoffTask: task.taskId },
        permission: sessionRules((await api.agents())[0]),
      }))
    saved.change({ session: session.id })
    return session.id
  }

  async function start(): Promise<{ session: string }> {
    try {
      return await bringUp()
    } catch (error) {
      if (!(error instanceof OpencodeHttpError)) throw error
      throw refusedStart(task, error, await server.tail())
    }
  }

  async function bringUp(): Promise<{ session: string }> {
    if (!(await server.alive())) {
      watcher?.dispose()
      watcher = undefined
    }
    await server.ensure()
    await guard()
    const session = await conversation()
    if (settings.agentScreen) await server.showAgent(session)
    await watch(session)
    return { session }
  }

  async function hand(delivery: Delivery): Promise<DeliveryOutcome> {
    const sessionId = saved.get().session
    if (sessionId === undefined)
      return { kind: 'retry', message: 'The conversation has not been opened yet.' }
    const { pending, family, lookLater } = await watch(sessionId)
    const api = server.api()
    if (delivery.kind === 'prompt')
      return deliverPrompt({ api, saved, sessionId, now: settings.now }, delivery)
    const outcome = await deliverResponse({ api, saved, family, pending }, delivery)
    if (pending.listUnreadable()) lookLater(0)
    return outcome
  }

  return {
    start: () => deliveries.run(start),
    async reattach() {
      if (saved.get().server === undefined)
        return { kind: 'gone', message: 'opencode was never started.', logTail: '' }
      if (!(await server.alive()))
        return { kind: 'gone', message: 'opencode has ended.', logTail: await server.tail() }
      const { session } = saved.get()
      if (session === undefined) await deliveries.run(start)
      else await watch(session)
      return { kind: 'alive' }
    },
    deliver: (delivery) =>
      deliveries.run(async () => {
        try {
          return await hand(delivery)
        } catch (error) {
          if (!(await server.alive())) return { kind: 'gone', reason: 'opencode has ended.' }
          context.log(
            { deliveryId: delivery.deliveryId, error: String(error) },
            'a delivery to opencode failed',
          )
          return { kind: 'retry', message: error instanceof Error ? error.message : String(error) }
        }
      }),
    async abort() {
      const { session } = saved.get()
      if (session === undefined) return
      await server.api().abort(session)
    },
    async reconcile() {
      const { session } = saved.get()
      if (session === undefined || !(await server.alive())) return 'opencode is not running.'
      return (await watch(session)).look()
    },
    async stop() {
      const { session } = saved.get()
      if (session !== undefined && (await server.alive())) {
        await server
          .api()
          .abort(session)
          .catch((error: unknown) =>
            context.log({ error: String(error) }, 'the last turn could not be aborted'),
          )
      }
      watcher?.dispose()
      await server.terminate()
    },
    dispose() {
      disposed = true
      watcher?.dispose()
    },
  }
}
