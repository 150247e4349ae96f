import type { Fact } from '../fact.ts'
import { alive, become, refuse, waitsFor, type Draft, type Refused } from './draft.ts'

type FactOf<T extends Fact['type']> = Extract<Fact, { type: T }>

/** The worktree stands and the task has been handed to its executor. Saying the same again changes nothing. */
export function submitted(draft: Draft, fact: FactOf<'submitted'>): Refused | undefined {
  const { task } = draft
  const { type: _, ...body } = fact
  const same = task.worktree === fact.worktree && task.branch === fact.branch && task.base === fact.base
  if (task.state === 'submitted' && same) return undefined
  if (task.state !== 'pending' && task.state !== 'submitted') return refuse('task_busy', waitsFor(draft))
  draft.task = { ...task, ...body }
  become(draft, 'submitted')
  draft.events.push({ type: 'submitted', body })
  return undefined
}

/** The executor is up and has a conversation. Later it only tells that the conversation has another id. */
export function started(draft: Draft, fact: FactOf<'started'>): Refused | undefined {
  if (draft.task.state === 'pending') return refuse('task_busy', waitsFor(draft))
  alive(draft)
  if (draft.task.state !== 'submitted' && draft.task.session === fact.session) return undefined
  draft.task = { ...draft.task, session: fact.session }
  if (draft.task.state === 'submitted') become(draft, 'running')
  draft.events.push({ type: 'started', body: { session: fact.session } })
  return undefined
}

/** Something the executor did; stored, wakes nobody. */
export function progress(draft: Draft, fact: FactOf<'progress'>): undefined {
  alive(draft)
  draft.events.push({ type: 'progress', body: fact.body })
}

/** Nothing was heard of the task for long. A mark, told once until the next sign of life. */
export function stalled(draft: Draft, fact: FactOf<'stalled'>): undefined {
  if (draft.task.stalledSince !== undefined) return
  draft.task = { ...draft.task, stalledSince: draft.at }
  draft.events.push({ type: 'stalled', body: { silentMs: fact.silentMs } })
}

/** Contact with the executor is lost. A mark, told once until it is back. */
export function offline(draft: Draft, fact: FactOf<'offline'>): undefined {
  if (draft.task.offlineSince !== undefined) return
  draft.task = { ...draft.task, offlineSince: draft.at }
  draft.events.push({ type: 'executor_offline', body: { message: fact.message } })
}

/** Contact with the executor is back. */
export function online(draft: Draft): undefined {
  alive(draft)
  if (draft.task.offlineSince === undefined) return
  const { offlineSince: _, ...task } = draft.task
  draft.task = task
  draft.events.push({ type: 'executor_online', body: {} })
}

/** A command was run in the worktree by whoever looks at it; no sign of life of the executor. */
export function ran(draft: Draft, fact: FactOf<'ran'>): undefined {
  const { type: _, ...body } = fact
  // One that ran out of time may still end with 0 when it is told to.
  const ok = fact.exitCode === 0 && !fact.timedOut
  draft.task = { ...draft.task, lastRun: { command: fact.command, ok, at: draft.at } }
  draft.events.push({ type: 'ran', body })
}

/** Someone had the task compared with the executor's own facts. */
export function repaired(draft: Draft, fact: FactOf<'repaired'>): undefined {
  draft.events.push({ type: 'repaired', body: { outcome: fact.outcome, by: fact.by } })
}

/** A remark for whoever reads the history. */
export function note(draft: Draft, fact: FactOf<'note'>): undefined {
  draft.events.push({ type: 'note', body: { text: fact.text, by: fact.by } })
}
