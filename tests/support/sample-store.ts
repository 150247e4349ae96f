import { openStore } from '../../agentd/store/open-store.ts'
import type { Store, TaskPrivate } from '../../agentd/store/store.ts'
import { noteEvent, sampleTask, TASK_ID } from './sample-facts.ts'

/** What the store keeps of a task beside what clients see. */
export const privateFacts: TaskPrivate = {
  plan: 'Greet the world.',
  model: undefined,
  keepWorktree: false,
  adapterState: {},
  cleaned: false,
  stopRequested: false,
}

/** The id of the n-th sample task; ids rise with n. */
export function taskId(n: number): string {
  return `${n.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`
}

/** A store that holds the sample task and one event. */
export function openSample(path: string, options: { busyTimeoutMs?: number } = {}): Store {
  const store = openStore({ path, ...options })
  store.transaction(() => {
    store.tasks.insert(sampleTask(), privateFacts)
    store.events.append(TASK_ID, 1_000, noteEvent())
  })
  return store
}
