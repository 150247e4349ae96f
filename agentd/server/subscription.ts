import type { Store } from '../store/store.ts'
import type { EventFrames } from './event-frames.ts'
import type { Outbound } from './outbound.ts'
import type { Hello } from './session.ts'
import { markAt, readSnapshot, type SnapshotStore } from './snapshot.ts'

/** How many frames are sent before other connections get their turn. */
const FRAMES_PER_TURN = 4

/** Where a subscription reads from. */
export interface SubscriptionStore extends SnapshotStore {
  events: Pick<Store['events'], 'headSeq' | 'completeFromSeq' | 'after'>
  cursors: Pick<Store['cursors'], 'get' | 'ack'>
}

/**
 * Sends one client every event once and in order, beginning with what it missed: after `fromSeq`, or after the cursor
 * kept for it. A client whose place is unknown, too old, ahead of this database or in another history gets a snapshot first.
 */
export function createSubscription({
  store,
  frames,
  outbound,
  consumer,
  from,
  endedTasks,
  onFailure,
}: {
  store: SubscriptionStore
  frames: EventFrames
  outbound: Outbound
  consumer: string
  from: NonNullable<Hello['resume']>
  endedTasks: number
  /** The database could not be read; the connection has to end, so that the client comes back and resumes. */
  onFailure: (error: unknown) => void
}) {
  let seq = 0
  let parts: string[] = []
  /** Whether a turn is already on its way. */
  let busy = false
  let ended = false

  /** Whether everything after this place is still in the database. */
  const isComplete = (place: number) => place + 1 >= store.events.completeFromSeq()

  function begin(): void {
    const place = from.fromSeq ?? store.cursors.get(consumer)?.all
    if (place !== undefined && isComplete(place) && place <= store.events.headSeq() && isKnown(place))
      seq = place
    else beginWithSnapshot()
  }

  /** Whether the event there is the one that the client has seen. One that is not there any more may have been. */
  function isKnown(place: number): boolean {
    return from.mark === undefined || place === 0 || markAt(store, place) === from.mark
  }

  function beginWithSnapshot(): void {
    const snapshot = readSnapshot(store, { endedTasks })
    parts = snapshot.parts.reverse()
    seq = snapshot.headSeq
  }

  function nextText(): string | undefined {
    // Old events may have been removed while a slow client was still behind them.
    if (parts.length === 0 && !isComplete(seq)) beginWithSnapshot()
    const part = parts.pop()
    if (part !== undefined) return part
    const frame = frames.next(seq)
    if (frame !== undefined) seq = frame.lastSeq
    return frame?.text
  }

  function turn(): void {
    busy = false
    if (ended) return
    try {
      for (let sent = 0; sent < FRAMES_PER_TURN && outbound.hasRoom(); sent += 1) {
        const text = nextText()
        if (text === undefined) return
        outbound.send(text)
      }
    } catch (error) {
      ended = true
      onFailure(error)
      return
    }
    busy = true
    outbound.whenRoom(turn)
  }

  return {
    start(): void {
      try {
        begin()
      } catch (error) {
        ended = true
        onFailure(error)
      }
      turn()
    },
    /** Events were committed. */
    wake(): void {
      if (!busy) turn()
    },
    /** The newest event that was handed to the connection. */
    sentSeq: () => seq,
    end(): void {
      ended = true
    },
  }
}
