import { isOver, type Task } from '../../shared/domain/task.ts'
import { AppError } from '../../shared/errors.ts'
import { eventMark, type WireEvent } from '../../shared/protocol/records.ts'
import { backoffMs } from '../../shared/node/host-client/backoff.ts'
import type { Connector, LiveClient } from '../hosts/connect.ts'
import { isConnectionTrouble, pause, refusal } from '../hosts/retry.ts'
import type { FollowPlace } from '../hosts/follow-places.ts'
import type { HostClient } from '../hosts/host-client.ts'

/** What a follower keeps and does; `print` has printed when it resolves. */
export interface Follower {
  connector: Connector
  host: string
  /** Empty: every task of the host, without an end. */
  taskIds: readonly string[]
  /** The last event printed before, by task; 0 begins at its first event. */
  positionOf: (taskId: string) => FollowPlace
  print: (client: HostClient, event: WireEvent, task: Task) => Promise<void>
  /** Tells the host that an event was printed. */
  acknowledge: (client: HostClient, event: WireEvent) => Promise<void>
  onTrouble: (error: AppError | undefined) => void
  signal: AbortSignal
}

const BACKOFF = { firstMs: 300, maxMs: 15_000 }
const PAGE = 500

/**
 * Prints every event of the tasks once and in order, through any number of disconnects, until all of them are over. A host that was
 * restored from a backup tells another history: what it tells of a task is then printed from its first event on.
 */
export async function follow(follower: Follower): Promise<Task[]> {
  const places = new Map(follower.taskIds.map((taskId) => [taskId, follower.positionOf(taskId)]))
  const ended = new Map<string, Task>()
  const state: State = { places, ended, stream: undefined }
  for (let attempt = 0; ; attempt += 1) {
    try {
      await followOnce(follower, state, () => {
        if (attempt > 0) follower.onTrouble(undefined)
        attempt = 0
      })
      return [...ended.values()]
    } catch (error) {
      if (follower.signal.aborted || !isConnectionTrouble(error)) throw refusal(error) ?? error
      if (attempt === 0) follower.onTrouble(error as AppError)
      await pause(backoffMs(attempt, BACKOFF, Math.random), follower.signal)
    }
  }
}

interface State {
  places: Map<string, FollowPlace>
  ended: Map<string, Task>
  /** Up to where the host's stream was heard. */
  stream: FollowPlace | undefined
}

async function followOnce(follower: Follower, state: State, onConnected: () => void): Promise<void> {
  const queue = createQueue<WireEvent[] | 'snapshot'>()
  // A first connection without a place asks from the head: what lies before is read task by task.
  const client = await follower.connector.open(follower.host, {
    signal: follower.signal,
    listen: {
      resume: { fromSeq: state.stream?.seq ?? Number.MAX_SAFE_INTEGER, mark: state.stream?.mark },
      onEvents: (events) => queue.push(events),
      onSnapshot: ({ headSeq, mark }) => {
        state.stream = { seq: headSeq, mark }
        // Numbers above were given out in a history that is gone.
        for (const [taskId, place] of state.places)
          if (follower.taskIds.length === 0 && place.seq > headSeq) state.places.delete(taskId)
        queue.push('snapshot')
      },
    },
  })
  try {
    onConnected()
    void client.closed.then((reason) =>
      queue.fail(
        reason.kind === 'closed_here'
          ? new AppError({ code: 'cancelled', message: 'Cancelled.' })
          : reason.error,
      ),
    )
    // Events that are committed while the past is read wait in the queue; repeats are dropped by their number.
    for (const taskId of follower.taskIds)
      if (!state.ended.has(taskId)) await readPast(follower, state, client, taskId)
    while (!allOver(follower, state)) {
      const batch = await queue.next()
      // A snapshot instead of events: the place was too old, so the past is read again from where each task stands.
      if (batch === 'snapshot')
        for (const taskId of follower.taskIds) await readPast(follower, state, client, taskId)
      else for (const event of batch) await take(follower, state, client, event)
    }
  } finally {
    await client.close()
  }
}

async function readPast(follower: Follower, state: State, client: LiveClient, taskId: string): Promise<void> {
  if (!(await isThere(client, taskId, state.places.get(taskId)))) state.places.delete(taskId)
  for (;;) {
    const afterSeq = state.places.get(taskId)?.seq ?? 0
    const { events } = await client.call('task.events', { task: taskId, afterSeq, limit: PAGE })
    for (const event of events) await take(follower, state, client, event)
    if (events.length < PAGE) break
  }
  await noteEnd(state, client, taskId)
}

/** Whether the host has the event that was printed last; the newest one of a task is never cleared away. */
async function isThere(client: LiveClient, taskId: string, place: FollowPlace | undefined): Promise<boolean> {
  if (place === undefined || place.seq === 0) return true
  const { events } = await client.call('task.events', { task: taskId, afterSeq: place.seq - 1, limit: 1 })
  const [found] = events
  return found !== undefined && (place.mark === undefined || eventMark(found) === place.mark)
}

async function take(follower: Follower, state: State, client: LiveClient, event: WireEvent): Promise<void> {
  const wanted = follower.taskIds.length === 0 || follower.taskIds.includes(event.taskId)
  if (wanted && event.seq > (state.places.get(event.taskId)?.seq ?? 0)) {
    const { task } = await client.call('task.get', { task: event.taskId, historyLimit: 0 })
    await follower.print(client, event, task)
    // Printed is printed: what breaks from here on must not print it again.
    state.places.set(event.taskId, { seq: event.seq, mark: eventMark(event) })
    await follower.acknowledge(client, event)
    if (isOver(task.state) && event.seq >= task.lastSeq) state.ended.set(task.id, task)
  }
  if (event.seq > (state.stream?.seq ?? 0)) state.stream = { seq: event.seq, mark: eventMark(event) }
}

/** A task that was over and printed before has no further event that would tell. */
async function noteEnd(state: State, client: LiveClient, taskId: string): Promise<void> {
  const { task } = await client.call('task.get', { task: taskId, historyLimit: 0 })
  if (isOver(task.state) && (state.places.get(taskId)?.seq ?? 0) >= task.lastSeq)
    state.ended.set(taskId, task)
}

function allOver(follower: Follower, state: State): boolean {
  return follower.taskIds.length > 0 && follower.taskIds.every((taskId) => state.ended.has(taskId))
}

/** A queue with one reader; after `fail` the reader gets what is left, then the error. */
function createQueue<T>() {
  const items: T[] = []
  let error: unknown
  let wake: (() => void) | undefined
  return {
    push(item: T): void {
      items.push(item)
      wake?.()
    },
    fail(reason: unknown): void {
      error ??= reason
      wake?.()
    },
    async next(): Promise<T> {
      for (;;) {
        const item = items.shift()
        if (item !== undefined) return item
        if (error !== undefined) throw error
        await new Promise<void>((resolve) => (wake = resolve))
      }
    },
  }
}
