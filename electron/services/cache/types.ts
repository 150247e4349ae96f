import type { Task } from '../../../shared/domain/task.ts'
import type { Ticket } from '../../../shared/domain/ticket.ts'
import type { InboxRow, InboxSection, TaskRow } from '../../../shared/ipc/views.ts'
import type { Snapshot } from '../../../shared/node/host-client/snapshot-reader.ts'
import type { HostSink } from '../hosts/types.ts'

/** What changed in the cache, told after it was kept. `tasks` are keys `host/taskId`. */
export interface CacheChange {
  host: string
  tasks: ReadonlySet<string> | 'all'
}

/** Counts of one host. */
export interface HostCounts {
  needsYou: number
  reviewer: number
  toReview: number
  offline: number
  running: number
  open: number
}

/** The copy of what the hosts know: disposable, opens at once, works offline. */
export interface Cache extends HostSink {
  /** A whole snapshot at once, which takes as long as it takes. */
  onSnapshot(host: string, snapshot: Snapshot): void
  task(host: string, taskId: string): Task | undefined
  ticket(host: string, ticketId: string): Ticket | undefined
  ticketsOf(host: string, taskId: string): Ticket[]
  /**
   * What waits for somebody, oldest first; for the attention function. Costs nothing while nothing changes. Of a host with more than
   * about 5 000 only the newest.
   */
  openTickets(): readonly { host: string; ticket: Ticket; task: Task | undefined }[]
  /**
   * Tasks somebody should look at: marked stalled or executor-offline and not over (`since` is the mark), and those that failed in
   * the last 24 hours (`since` is when they ended) and have not been opened since. One entry per task; offline counts before stalled. Any order, at most 1 000.
   */
  troubled(): { host: string; task: Task; kind: 'stalled' | 'offline' | 'failed'; since: number }[]
  inbox(query: {
    host?: string | undefined
    text?: string | undefined
    section?: InboxSection | undefined
    offset: number
    limit: number
  }): {
    total: number
    sections: { section: InboxSection; count: number }[]
    rows: Omit<InboxRow, 'outbox'>[]
  }
  tasks(query: {
    host?: string | undefined
    text?: string | undefined
    states?: readonly string[] | undefined
    offset: number
    limit: number
  }): { total: number; rows: TaskRow[] }
  counts(host: string): HostCounts
  /**
   * Replaces one task and those of its tickets that are given with what the host says now; what is older than what is kept
   * (lastSeq) changes nothing.
   */
  put(host: string, task: Task, tickets?: readonly Ticket[]): void
  /** As `put`, for one ticket whose task is kept; a ticket never goes back (open, answered, failed, delivered or expired). */
  putTicket(host: string, ticket: Ticket): void
  /** The person has opened this task: when it failed, the inbox need not show it any more. */
  markSeen(host: string, taskId: string): void
  /** The machine that a host was when it was last connected; undefined when that is not known. */
  hostId(host: string): string | undefined
  /** Repositories used by tasks on this machine, newest first. */
  repositories(): string[]
  /** Hosts of which something is kept. */
  hosts(): string[]
  forget(host: string): void
  onChange(listener: (change: CacheChange) => void): () => void
  /** Tasks that an event named and that are not known yet; somebody must ask the host and `put` them. */
  onUnknownTask(listener: (host: string, taskId: string) => void): () => void
  dispose(): void
}
