import type { SomeHandlers } from '../server/call-context.ts'
import type { Presence } from '../server/call-context.ts'
import type { Store, StoredEvent } from '../store/store.ts'
import type { Engine } from '../tasks/engine.ts'
import { resolveTask } from '../tasks/resolve.ts'
import { openReview, requireSeen } from '../tasks/seen.ts'
import { tmuxSession } from '../tasks/workspace.ts'
import type { CallOutput } from '../../shared/protocol.ts'
import type { WireEvent } from '../../shared/protocol/records.ts'

interface Needs {
  store: Store
  engine: Engine
  presence: Presence
  tmuxSocketDir: string | undefined
  /** Of the tmux here; undefined where there is none. */
  tmuxVersion(): Promise<string | undefined>
}

type TaskCalls =
  | 'task.dispatch'
  | 'task.list'
  | 'task.find'
  | 'task.get'
  | 'task.events'
  | 'task.continue'
  | 'task.note'
  | 'task.done'
  | 'task.cancel'
  | 'task.repair'

/** Calls about tasks. */
export function createTaskHandlers({
  store,
  engine,
  presence,
  tmuxSocketDir,
  tmuxVersion,
}: Needs): SomeHandlers<TaskCalls> {
  const { once, acts } = engine
  return {
    'task.dispatch': (input, context) => engine.dispatch(input, context),
    'task.list': ({ over, states, limit, beforeId }) => ({
      tasks: store.tasks.list({
        over,
        limit,
        ...(states ? { states } : {}),
        ...(beforeId === undefined ? {} : { beforeId }),
      }),
      headSeq: store.events.headSeq(),
    }),
    'task.find': ({ ref, limit }) => ({ tasks: store.tasks.find(ref, limit) }),
    'task.get': async ({ task: ref, historyLimit }) => {
      const version = await tmuxVersion()
      const task = resolveTask(store, ref)
      return {
        task,
        plan: store.tasks.private(task.id).plan,
        tickets: store.tickets.ofTask(task.id, 200),
        events: store.events.lastOfTask(task.id, historyLimit).map(toWire),
        rounds: store.tasks.rounds(task.id),
        personConnected: presence.personConnected(),
        tmux: {
          session: tmuxSession(task.id),
          ...(tmuxSocketDir === undefined ? {} : { socketDir: tmuxSocketDir }),
          ...(version === undefined ? {} : { version }),
        },
      }
    },
    'task.events': ({ task: ref, afterSeq, limit }) => ({
      events: store.events.ofTask(resolveTask(store, ref).id, afterSeq, limit).map(toWire),
      headSeq: store.events.headSeq(),
    }),
    'task.continue': (input, context) =>
      engine.transaction(() =>
        once.sync(context, { call: 'task.continue', input }, () => {
          const task = resolveTask(store, input.task)
          requireSeen(openReview(store, task.id), input.seen)
          return acts.sendBack(task, input.text, context.actor)
        }),
      ),
    'task.note': (input, context) =>
      engine.transaction(() =>
        once.sync(context, { call: 'task.note', input }, () =>
          acts.note(resolveTask(store, input.task), input.text, context.actor),
        ),
      ),
    'task.done': (input, context) =>
      once.steps(
        context,
        { call: 'task.done', input },
        {
          decide: (remember) =>
            acts.done(resolveTask(store, input.task), { input, by: context.actor, remember }),
          finish: acts.afterDone,
        },
      ),
    'task.cancel': (input, context) =>
      once.steps(
        context,
        { call: 'task.cancel', input },
        {
          decide: (remember) =>
            Promise.resolve(
              acts.cancel(resolveTask(store, input.task), { why: input.note, by: context.actor, remember }),
            ),
          finish: acts.afterCancel,
        },
      ),
    'task.repair': (input, context) =>
      once.steps(
        context,
        { call: 'task.repair', input },
        {
          decide: (remember: (saved: CallOutput<'task.repair'>) => void) =>
            acts.repair(resolveTask(store, input.task), { by: context.actor, remember }),
          finish: (saved) => Promise.resolve(saved),
        },
      ),
  }
}

function toWire(row: StoredEvent): WireEvent {
  return JSON.parse(row.json) as WireEvent
}
