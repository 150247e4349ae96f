import type { SomeHandlers } from '../server/call-context.ts'
import type { Presence } from '../server/call-context.ts'
import type { Store, StoredEvent } from '../store/store.ts'
import type { Engine } from '../tasks/engine.ts'
import { resolveTask } from '../tasks/resolve.ts'
import { tmuxSession } from '../tasks/workspace.ts'
import type { WireEvent } from '../../shared/protocol/records.ts'
import type { Once } from './once.ts'

interface Needs {
  store: Store
  engine: Engine
  once: Once
  presence: Presence
  tmuxSocketDir: string | undefined
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
  once,
  presence,
  tmuxSocketDir,
}: Needs): SomeHandlers<TaskCalls> {
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
    'task.get': ({ task: ref, historyLimit }) => {
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
        },
      }
    },
    'task.events': ({ task: ref, afterSeq, limit }) => ({
      events: store.events.ofTask(resolveTask(store, ref).id, afterSeq, limit).map(toWire),
      headSeq: store.events.headSeq(),
    }),
    'task.continue': ({ task, text, requestId }, context) =>
      engine.transaction(() =>
        once.sync(context, requestId, () =>
          engine.acts.sendBack(resolveTask(store, task), text, context.actor),
        ),
      ),
    'task.note': ({ task, text, requestId }, context) =>
      engine.transaction(() =>
        once.sync(context, requestId, () => engine.acts.note(resolveTask(store, task), text, context.actor)),
      ),
    'task.done': (input, context) =>
      once.steps(context, input.requestId, () =>
        engine.acts.done(resolveTask(store, input.task), input, context.actor),
      ),
    'task.cancel': ({ task, note, requestId }, context) =>
      once.steps(context, requestId, () => engine.acts.cancel(resolveTask(store, task), note, context.actor)),
    'task.repair': ({ task, requestId }, context) =>
      once.steps(context, requestId, () => engine.acts.repair(resolveTask(store, task), context.actor)),
  }
}

function toWire(row: StoredEvent): WireEvent {
  return JSON.parse(row.json) as WireEvent
}
