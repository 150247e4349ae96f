import type { DeliveryOutcome } from '../adapter.ts'
import type { SavedStateStore } from './adapter-state.ts'
import { isNotFound, type OpencodeApi } from './api.ts'
import { ascendingId } from './message-id.ts'

/** What sending a prompt once takes. */
export interface PromptNeeds {
  api: OpencodeApi
  saved: SavedStateStore
  sessionId: string
  now: () => number
}

/**
 * Sends a prompt exactly once, however often it is tried: its ids are on disk before it is sent, and opencode stores a
 * message that comes again under the same ids over the first one.
 */
export async function deliverPrompt(
  { api, saved, sessionId, now }: PromptNeeds,
  { deliveryId, text }: { deliveryId: number; text: string },
): Promise<DeliveryOutcome> {
  const messages = await api.messages(sessionId, 50)
  const newest = messages.at(-1)?.info.id
  let ids = saved.get().prompts[deliveryId]
  if (ids !== undefined) {
    const { messageId } = ids
    if (await stored(api, sessionId, messageId)) {
      const answered = messages.some(({ info }) => info.parentID === messageId)
      const busy = (await api.statuses())[sessionId] !== undefined
      if (answered || busy) return { kind: 'already' }
    } else if (newest !== undefined && newest > messageId) {
      // It never arrived, and others came in between: under the old id it would count as answered.
      ids = undefined
    }
  }
  if (ids === undefined) {
    ids = { messageId: ascendingId('msg', now(), newest), partId: ascendingId('prt', now()) }
    saved.setPrompt(deliveryId, ids)
  }
  try {
    await api.prompt(sessionId, { ...ids, text })
    return { kind: 'delivered' }
  } catch (error) {
    if (!isNotFound(error)) throw error
    return { kind: 'gone', reason: 'opencode no longer knows the conversation.' }
  }
}

async function stored(api: OpencodeApi, sessionId: string, messageId: string): Promise<boolean> {
  try {
    await api.message(sessionId, messageId)
    return true
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
}
