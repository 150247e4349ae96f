import type { Store } from '../store/store.ts'
import type { ServerLimits } from './limits.ts'

/** A message `events`, ready to be sent. */
export interface EventFrame {
  text: string
  lastSeq: number
}

/** Tells that events were committed; called after the commit, never inside a transaction. */
export interface EventFeed {
  onCommitted(listener: () => void): () => void
}

/**
 * Makes `events` messages from the database without parsing what is stored. The newest one is kept, so that clients that
 * are up to date share one read and one string for each commit.
 */
export function createEventFrames({
  events,
  limits,
}: {
  events: Pick<Store['events'], 'after'>
  limits: ServerLimits
}) {
  let kept: { afterSeq: number; frame: EventFrame } | undefined
  let averageBytes = 512

  return {
    /** The next events after `seq`, or undefined when there are none. */
    next(afterSeq: number): EventFrame | undefined {
      if (kept?.afterSeq === afterSeq) return kept.frame
      // Rows that do not fit are read again next time; reading about as many as fit keeps that rare.
      const wanted = Math.ceil(limits.eventFrameBytes / averageBytes)
      const rows = events.after(afterSeq, Math.max(1, Math.min(limits.eventsPerFrame, wanted)))
      let text = ''
      let lastSeq = afterSeq
      let count = 0
      for (const row of rows) {
        if (count > 0 && text.length + row.json.length > limits.eventFrameBytes) break
        text += count === 0 ? row.json : `,${row.json}`
        lastSeq = row.seq
        count += 1
      }
      if (count === 0) return undefined
      averageBytes = averageBytes * 0.5 + (text.length / count) * 0.5
      const frame = { text: `{"t":"events","events":[${text}]}`, lastSeq }
      kept = { afterSeq, frame }
      return frame
    },
    /** To be called when events were committed. */
    changed(): void {
      kept = undefined
    },
  }
}

/** The source of `events` messages. */
export type EventFrames = ReturnType<typeof createEventFrames>
