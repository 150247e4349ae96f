import type { Answer } from '../../../shared/domain/ticket.ts'
import type { DeliveryOutcome } from '../adapter.ts'
import type { SavedReply, SavedStateStore } from './adapter-state.ts'
import { isNotFound, type OpencodeApi } from './api.ts'
import type { Family } from './family.ts'
import { findToolPart, type Pending, type PendingRequests } from './pending.ts'
import { questionAnswers } from './translate.ts'

const DENIED = 'The reviewer denied this. Do not try it again in another way; go on without it, or ask.'
const GONE = 'The agent no longer waits for this request.'

/** What answering a request once takes. */
export interface RespondNeeds {
  api: OpencodeApi
  saved: SavedStateStore
  family: Family
  pending: PendingRequests
}

/**
 * Gives an answer to a request exactly once: what is going to be answered is on disk before it is sent, and a request
 * that is gone afterwards is judged by what became of its tool call. opencode's own `always` is never used.
 */
export async function deliverResponse(
  needs: RespondNeeds,
  { requestId, answer }: { requestId: string; answer: Answer },
): Promise<DeliveryOutcome> {
  const { saved, pending } = needs
  const before = saved.get().replies[requestId]
  const found = (await pending.live()).find(({ request }) => request.id === requestId)
  if (found === undefined) return settle(needs, { requestId, before })
  const { sessionID, tool } = found.request
  const reply: SavedReply = {
    approved: answer.kind !== 'deny',
    taken: false,
    stop: answer.kind === 'deny' && answer.stop,
    sessionId: sessionID,
    ...(tool === undefined ? {} : { messageId: tool.messageID, callId: tool.callID }),
  }
  saved.setReply(requestId, reply)
  try {
    await send(needs, found, answer)
  } catch (error) {
    if (isNotFound(error)) return settle(needs, { requestId, before: reply })
    throw error
  }
  saved.setReply(requestId, { ...reply, taken: true })
  saved.removeAsked(requestId)
  return { kind: 'delivered' }
}

async function send(needs: RespondNeeds, found: Pending, answer: Answer): Promise<void> {
  if (answer.kind === 'deny' && answer.stop) return stopTurn(needs, found)
  if (found.kind === 'permission') return sendDecision(needs, found, answer)
  const { api } = needs
  const { request } = found
  if (answer.kind === 'options' || answer.kind === 'text')
    return api.answerQuestion(request.id, questionAnswers(request, answer))
  // The question tool has no place for a message beside a refusal, so the message is the answer.
  if (answer.kind === 'deny' && answer.message !== undefined)
    return api.answerQuestion(request.id, questionAnswers(request, { kind: 'text', text: answer.message }))
  return api.rejectQuestion(request.id)
}

async function sendDecision(
  { api, pending }: RespondNeeds,
  { request }: Pending,
  answer: Answer,
): Promise<void> {
  if (answer.kind !== 'deny') return api.replyPermission(request.id, { reply: 'once' })
  pending.denying(request.sessionID)
  // Without a message opencode takes a refusal for the end of the turn.
  return api.replyPermission(request.id, { reply: 'reject', message: answer.message ?? DENIED })
}

/** Ends the turn first, so that the agent cannot go on in between; then clears the request that this leaves behind. */
async function stopTurn({ api, saved, family }: RespondNeeds, { kind, request }: Pending): Promise<void> {
  saved.change({ stopping: true })
  await api.abort(family.root)
  if (request.sessionID !== family.root) await api.abort(request.sessionID)
  try {
    if (kind === 'permission') await api.replyPermission(request.id, { reply: 'reject' })
    else await api.rejectQuestion(request.id)
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

/** A request that is not waiting any more: whether that is our own doing. */
async function settle(
  { api, saved, pending }: RespondNeeds,
  { requestId, before }: { requestId: string; before: SavedReply | undefined },
): Promise<DeliveryOutcome> {
  if (before !== undefined && (before.taken || (await tookEffect(api, before)))) {
    if (!before.taken) saved.setReply(requestId, { ...before, taken: true })
    saved.removeAsked(requestId)
    return { kind: 'already' }
  }
  pending.gone(requestId, GONE)
  return { kind: 'gone', reason: GONE }
}

async function tookEffect(
  api: OpencodeApi,
  { approved, stop, sessionId, messageId, callId }: SavedReply,
): Promise<boolean> {
  if (messageId === undefined || callId === undefined) return false
  const part = await findToolPart(api, { sessionId, messageId, callId })
  if (part === undefined) return false
  const { status, error } = part.state
  const refused = status === 'error' && /rejected permission|dismissed this question|abort/i.test(error ?? '')
  if (stop) return refused
  return approved ? !refused : refused
}
