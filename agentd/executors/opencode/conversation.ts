import type { ExecutorContext, ExecutorFact } from '../adapter.ts'
import type { SavedStateStore } from './adapter-state.ts'
import type { OpencodeApi } from './api.ts'
import type { OpencodeEvent } from './events.ts'
import type { Family } from './family.ts'
import type { PendingRequests } from './pending.ts'
import { createRetryWatch } from './retry-watch.ts'
import { createThrottle } from './throttle.ts'
import { oneLine, toolProgress, usageProgress } from './translate.ts'
import { readTurn, type TurnFact } from './turn.ts'
import type { WatcherSettings } from './watcher.ts'
import type { ErrorInfo, MessagePart } from './wire.ts'

const MAX_PROGRESS_CHARS = 8_000
const MESSAGES_READ = 30

/** What following a conversation takes. */
export interface ConversationNeeds {
  context: ExecutorContext
  saved: SavedStateStore
  api: OpencodeApi
  family: Family
  pending: PendingRequests
  settings: WatcherSettings
  /** Has `look` called after a while. */
  lookLater(delayMs: number): void
}

/** Turns what opencode tells about one conversation into facts. Its calls must not overlap. */
export function createConversation(needs: ConversationNeeds) {
  const { context, saved, api, family, pending, settings, lookLater } = needs
  const throttle = createThrottle({ burst: 40, perSecond: 4, now: settings.now })
  const retries = createRetryWatch({ limit: settings.retryLimit, now: settings.now })
  let error: ErrorInfo | undefined
  let abortCause: string | undefined
  let unfinished: { key: string; sinceMs: number } | undefined
  let reportedKey: string | undefined

  function progress(fact: Extract<ExecutorFact, { type: 'progress' }> | undefined): void {
    if (fact !== undefined && throttle.allows())
      context.report({ ...fact, text: fact.text.slice(0, MAX_PROGRESS_CHARS) })
  }

  function onPart(part: MessagePart): void {
    const subagent = family.subagent(part.sessionID)
    if (part.type === 'tool') return progress(toolProgress(part, subagent))
    // Only text that is complete; a person's own words have no times.
    if (part.time?.end === undefined || part.text.trim() === '') return
    const text = subagent === undefined ? part.text : `${subagent}: ${part.text}`
    progress({ type: 'progress', key: `text:${part.id}`, kind: 'text', text })
  }

  async function giveUpOnModel(cause: string): Promise<void> {
    abortCause = cause
    await api.abort(family.root)
  }

  function reportTurn(fact: TurnFact): void {
    if (fact.key === reportedKey) return
    context.report(fact)
    reportedKey = fact.key
    abortCause = undefined
    error = undefined
    unfinished = undefined
    if (saved.get().stopping) saved.change({ stopping: false })
  }

  /** Reports the end of the last turn if there is one. Idle is said more than once, and before the messages are written. */
  async function readEnd(): Promise<void> {
    const status = (await api.statuses())[family.root]
    if (status !== undefined && status.type !== 'idle') return
    const messages = await api.messages(family.root, MESSAGES_READ)
    const reading = readTurn({ messages, stopping: saved.get().stopping, abortCause, error })
    if (reading.kind === 'over') return reportTurn(reading.fact)
    if (reading.kind === 'nothing' || reading.fact.key === reportedKey) return
    if (unfinished?.key !== reading.fact.key) unfinished = { key: reading.fact.key, sinceMs: settings.now() }
    const settleMs = reading.known ? settings.settleMs : settings.neglectMs
    const leftMs = unfinished.sinceMs + settleMs - settings.now()
    if (leftMs <= 0) reportTurn(reading.fact)
    else lookLater(Math.min(leftMs + 10, 500))
  }

  async function onStatus(sessionId: string, status: { type: string }): Promise<void> {
    if (status.type === 'busy' && sessionId === family.root) {
      unfinished = undefined
      if (!retries.waiting()) error = undefined
    }
  }

  async function onIdle(sessionId: string): Promise<void> {
    retries.ended(sessionId)
    await pending.resync()
    if (sessionId === family.root) await readEnd()
  }

  async function onRetry(sessionId: string, status: Parameters<typeof retries.failed>[1]): Promise<void> {
    const { fact, giveUp } = retries.failed(sessionId, status)
    progress(fact)
    if (giveUp !== undefined) await giveUpOnModel(giveUp)
  }

  async function onEvent(event: OpencodeEvent): Promise<void> {
    switch (event.type) {
      case 'session.created':
        family.add(event.properties.info)
        return
      case 'session.status': {
        const { sessionID, status } = event.properties
        if (!family.has(sessionID)) return
        if (status.type === 'retry') return onRetry(sessionID, status)
        return onStatus(sessionID, status)
      }
      case 'session.idle':
        return family.has(event.properties.sessionID) ? onIdle(event.properties.sessionID) : undefined
      case 'session.error':
        if (
          event.properties.sessionID === family.root &&
          event.properties.error?.name !== 'MessageAbortedError'
        )
          error = event.properties.error ?? undefined
        return
      case 'permission.asked':
        return pending.asked({ kind: 'permission', request: event.properties })
      case 'question.asked':
        return pending.asked({ kind: 'question', request: event.properties })
      case 'permission.replied':
        return pending.replied(event.properties)
      case 'question.replied':
        return pending.replied({ ...event.properties, reply: 'answered' })
      case 'question.rejected':
        return pending.replied({ ...event.properties, reply: 'reject' })
      case 'message.updated': {
        const { info } = event.properties
        if (info.role === 'assistant' && info.time.completed && family.has(info.sessionID))
          progress(usageProgress(info))
        return
      }
      case 'message.part.updated': {
        const { part } = event.properties
        if (!family.has(part.sessionID)) return
        retries.ended(part.sessionID)
        return onPart(part)
      }
      case 'server.instance.disposed':
        // Every pending request is gone with it.
        lookLater(0)
        return
      case 'server.connected':
      case 'server.heartbeat':
        return
    }
  }

  return {
    onEvent,
    /** Reads everything that may have been missed, reports what is new, and says what the state is. */
    async look(): Promise<string> {
      await family.refresh(api)
      const waiting = await pending.resync()
      const status = (await api.statuses())[family.root]
      if (status?.type === 'retry') await onRetry(family.root, status)
      await readEnd()
      const requests = waiting === 0 ? 'nothing waits for an answer' : `${waiting} waiting for an answer`
      return oneLine(`opencode is ${status?.type ?? 'idle'}; ${requests}.`, 500)
    },
  }
}
