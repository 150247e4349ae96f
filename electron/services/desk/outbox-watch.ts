import type { IpcEvent } from '../../../shared/ipc.ts'
import type { Outbox } from '../outbox/types.ts'
import { noticeOfFailure, noticeOfOutcome } from './notices.ts'

/** Says what becomes of answers that waited for their host; answers how to stop. */
export function watchOutbox({
  outbox,
  onChange,
  notify,
}: {
  outbox: Pick<Outbox, 'list' | 'onChange' | 'onOutcome'>
  /** Told which tasks have an answer that waits, or had one until now, as `host/taskId`. */
  onChange: (tasks: ReadonlySet<string>) => void
  notify: (notice: IpcEvent<'desk.notice'>) => void
}): () => void {
  const failed = () => outbox.list().filter(({ state }) => state === 'failed')
  // What failed before this start was told before it.
  let told = new Set(failed().map(({ id }) => id))
  const waiting = () => new Set(outbox.list().map(({ host, taskId }) => `${host}/${taskId}`))
  let before = waiting()
  const stops = [
    outbox.onChange(() => {
      const now = failed()
      for (const entry of now) if (!told.has(entry.id)) notify(noticeOfFailure(entry))
      told = new Set(now.map(({ id }) => id))
      const waits = waiting()
      onChange(new Set([...before, ...waits]))
      before = waits
    }),
    outbox.onOutcome((entry, decision) => {
      const notice = noticeOfOutcome(entry, decision)
      if (notice !== undefined) notify(notice)
    }),
  ]
  return () => stops.forEach((stop) => stop())
}
