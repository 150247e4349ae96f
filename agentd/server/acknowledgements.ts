import type { Store } from '../store/store.ts'
import type { Logger } from '../log.ts'

/** Moves a consumer's cursor, at most once per `delayMs`: a flood of acknowledgements must not become a flood of writes. */
export function createAcknowledgements({
  cursors,
  consumer,
  delayMs,
  log,
}: {
  cursors: Pick<Store['cursors'], 'ack'>
  consumer: string
  delayMs: number
  log: Logger
}) {
  let newest = -1
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (newest < 0) return
    try {
      cursors.ack(consumer, newest)
      newest = -1
    } catch (error) {
      // The cursor stays behind, so the worst is that events are sent again; the next acknowledgement tries anew.
      log.warn({ err: error, consumer }, 'a cursor could not be moved')
    }
  }

  return {
    ack(seq: number): void {
      newest = Math.max(newest, seq)
      timer ??= setTimeout(flush, delayMs)
    },
    flush,
  }
}
