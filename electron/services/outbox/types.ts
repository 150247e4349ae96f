import type { Answer } from '../../../shared/domain/ticket.ts'
import type { Decision, OutboxEntry } from '../../../shared/ipc/work-calls.ts'

/** Answers of the person on their way to hosts. Never thrown away; each is carried out at most once by its host. */
export interface Outbox {
  /** Keeps the answer on disk, then sends it; resolves with its outcome, or `queued` when the host is away. */
  answer(what: { host: string; ticketId: string; answer: Answer }): Promise<Decision>
  /** As `answer`, for an instruction to a task that waits for review. */
  continueTask(what: { host: string; taskId: string; text: string }): Promise<Decision>
  list(): OutboxEntry[]
  of(host: string, ticketId: string): OutboxEntry | undefined
  ofTask(host: string, taskId: string): OutboxEntry[]
  /** Takes an entry back that is not being sent. Throws an AppError when that cannot be kept. */
  discard(id: string): boolean
  /** Sends what waits for a host; called when it became live. */
  flush(host: string): void
  /** Looks at the whole file now; a damaged one is set aside and begun anew with what is known. */
  checkFile(): void
  onChange(listener: (host: string) => void): () => void
  /** Something that was queued reached its end. */
  onOutcome(listener: (entry: OutboxEntry, decision: Decision) => void): () => void
  dispose(): Promise<void>
}
