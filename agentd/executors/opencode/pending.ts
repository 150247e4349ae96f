import type { ExecutorContext } from '../adapter.ts'
import type { SavedStateStore } from './adapter-state.ts'
import { isNotFound, OpencodeHttpError, type OpencodeApi } from './api.ts'
import type { Family } from './family.ts'
import { permissionFact, questionFact } from './translate.ts'
import type { PermissionRequest, QuestionRequest, ToolPart } from './wire.ts'

const CASCADE_MS = 5_000
const OWN_SCREEN = "Answered in the agent's own screen."

/** A request that waits for an answer. */
export type Pending =
  { kind: 'permission'; request: PermissionRequest } | { kind: 'question'; request: QuestionRequest }

/** What keeping track of requests takes. */
export interface PendingNeeds {
  context: ExecutorContext
  saved: SavedStateStore
  api: () => OpencodeApi
  family: Family
  now: () => number
}

export type PendingRequests = ReturnType<typeof createPendingRequests>

/** Keeps the requests that opencode waits for and those that were reported in step. */
export function createPendingRequests({ context, saved, api, family, now }: PendingNeeds) {
  const denials = new Map<string, number>()
  let listUnreadable = false

  /** Reports a request that is new. Reporting it again does nothing. */
  async function asked(pending: Pending): Promise<void> {
    const { request } = pending
    if (saved.get().replies[request.id] !== undefined || saved.isAsked(request.id)) return
    if (!(await family.belongs(api(), request.sessionID))) return
    const subagent = family.subagent(request.sessionID)
    const fact =
      pending.kind === 'question'
        ? questionFact(pending.request, subagent)
        : permissionFact(pending.request, { cwd: context.task.worktree, subagent })
    if (fact === 'too_long') {
      context.log({ requestId: request.id }, 'refused a request that is too long to be shown')
      const message = 'This is too long to be shown for approval. Put it into a file, or make it shorter.'
      await api().replyPermission(request.id, { reply: 'reject', message })
      return
    }
    context.report(fact)
    const { id, sessionID, tool } = request
    saved.addAsked({ id, sessionID, kind: pending.kind, ...(tool === undefined ? {} : { tool }) })
  }

  function gone(requestId: string, reason: string): void {
    if (!saved.isAsked(requestId)) return
    context.report({ type: 'request_gone', key: `gone:${requestId}`, requestId, reason })
    saved.removeAsked(requestId)
  }

  /**
   * opencode 1.18 cannot write its own list while a request in it has an undefined field (a webfetch without a timeout):
   * it answers 400 until that request is settled. What was reported is then the only list there is.
   */
  async function listPermissions(): Promise<PermissionRequest[]> {
    try {
      const listed = await api().permissions()
      listUnreadable = false
      return listed
    } catch (error) {
      if (!(error instanceof OpencodeHttpError) || error.status !== 400) throw error
      listUnreadable = true
      const { asked, replies } = saved.get()
      return asked
        .filter(({ id, kind }) => kind === 'permission' && replies[id]?.taken !== true)
        .map(({ id, sessionID, tool }) => ({
          id,
          sessionID,
          tool,
          permission: '',
          patterns: [],
          metadata: {},
        }))
    }
  }

  /** Requests of the task that an answer would still reach; opencode also lists leftovers of stopped turns. */
  async function live(): Promise<Pending[]> {
    const [permissions, questions, statuses] = await Promise.all([
      listPermissions(),
      api().questions(),
      api().statuses(),
    ])
    const all: Pending[] = [
      ...permissions.map((request): Pending => ({ kind: 'permission', request })),
      ...questions.map((request): Pending => ({ kind: 'question', request })),
    ]
    const found: Pending[] = []
    for (const pending of all) {
      const { sessionID } = pending.request
      if (statuses[sessionID] === undefined || statuses[sessionID].type === 'idle') continue
      if (!(await family.belongs(api(), sessionID))) continue
      if (await waits(api(), pending)) found.push(pending)
    }
    return found
  }

  return {
    asked,
    gone,
    live,
    /** Whether requests may be pending that could not be read; to be looked for again after the next answer. */
    listUnreadable: () => listUnreadable,
    /** A request was answered, by us or by somebody else. */
    replied({ sessionID, requestID, reply }: { sessionID: string; requestID: string; reply: string }): void {
      const own = saved.get().replies[requestID]
      if (own !== undefined) {
        if (!own.taken) saved.setReply(requestID, { ...own, taken: true })
        saved.removeAsked(requestID)
        return
      }
      const deniedAt = denials.get(sessionID)
      const cascade = reply === 'reject' && deniedAt !== undefined && now() - deniedAt < CASCADE_MS
      const always =
        reply === 'always' ? ' There it was allowed always, so that it will not be asked again.' : ''
      gone(
        requestID,
        cascade ? 'opencode denied it together with another request of the same step.' : OWN_SCREEN + always,
      )
    },
    /** A denial is about to be sent: opencode denies everything else that the same session asks with it. */
    denying(sessionId: string): void {
      denials.set(sessionId, now())
    },
    /** Reports what is new and what is gone. Returns how many requests wait. */
    async resync(): Promise<number> {
      const waiting = await live()
      for (const pending of waiting) await asked(pending)
      const ids = new Set(waiting.map(({ request }) => request.id))
      for (const { id: requestId } of saved.get().asked) {
        if (ids.has(requestId)) continue
        if (saved.get().replies[requestId] === undefined)
          gone(
            requestId,
            'The agent no longer waits for it: its turn was stopped, or it was answered in its own screen.',
          )
        else saved.removeAsked(requestId)
      }
      return waiting.length
    },
  }
}

/** A tool call that has ended, or whose message has, waits for nothing any more. */
async function waits(api: OpencodeApi, { request }: Pending): Promise<boolean> {
  if (request.tool === undefined) return true
  const part = await findToolPart(api, {
    sessionId: request.sessionID,
    messageId: request.tool.messageID,
    callId: request.tool.callID,
  })
  return part === undefined || part.state.status === 'pending' || part.state.status === 'running'
}

/** The tool call that a request is about; `undefined` when opencode does not know it (yet). */
export async function findToolPart(
  api: OpencodeApi,
  { sessionId, messageId, callId }: { sessionId: string; messageId: string; callId: string },
): Promise<ToolPart | undefined> {
  try {
    const message = await api.message(sessionId, messageId)
    return message.parts.find((part) => part.type === 'tool' && part.callID === callId) as
      ToolPart | undefined
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}
