import { attend } from '../../electron/services/attention/attention.ts'
import { remembered } from '../../electron/services/attention/memory.ts'
import type { Attention, AttentionInput, Remembered } from '../../electron/services/attention/types.ts'
import type { Task } from '../../shared/domain/task.ts'
import type { Ask, Ticket } from '../../shared/domain/ticket.ts'
import { settingsSchema } from '../../shared/ipc/settings.ts'
import { permission, sampleTask, sampleTicket, TASK_ID } from './sample-facts.ts'

/** A noon on which the samples of attention play. */
export const NOON = Date.UTC(2026, 4, 4, 12)

type Notifications = AttentionInput['settings']['notifications']

/** A state in which nothing happens and everything is switched on; `change` replaces fields. */
export function quietState(change: Partial<AttentionInput> = {}): AttentionInput {
  return {
    now: NOON,
    minuteOfDay: 720,
    language: 'en',
    settings: notifying(),
    open: [],
    troubled: [],
    hosts: [],
    running: 0,
    answeredHere: new Set(),
    memory: new Map(),
    visible: [],
    startedAt: NOON - 86_400_000,
    ...change,
  }
}

/** Settings of notifications; `change` replaces fields. */
export function notifying(change: Partial<Notifications> = {}): AttentionInput['settings'] {
  return { notifications: { ...settingsSchema.parse({}).notifications, ...change } }
}

/** An open ticket of the person on `devbox`. */
export function waitingTicket({
  id = 'per_1',
  host = 'devbox',
  ask = permission('routine') as Ask,
  ticket = {},
  task = {},
}: {
  id?: string
  host?: string
  ask?: Ask
  ticket?: Partial<Ticket>
  task?: Partial<Task>
} = {}): AttentionInput['open'][number] {
  const taskId = task.id ?? TASK_ID
  return {
    host,
    ticket: sampleTicket({
      id: `${taskId}:${id}`,
      taskId,
      audience: 'user',
      openedAt: NOON - 1_000,
      ask,
      ...ticket,
    }),
    task: sampleTask({ title: 'Login throttling', state: 'waiting_answer', ...task }),
  }
}

/** Carries out what attention says, one state after the other, and remembers. */
export function createListener() {
  const memory = new Map<string, Remembered>()
  return {
    memory,
    hear(state: Partial<AttentionInput>): Attention {
      const input = quietState({ ...state, memory })
      const attention = attend(input)
      for (const [key, entry] of remembered(memory, attention, input.now)) memory.set(key, entry)
      return attention
    },
  }
}
