import { z } from 'zod'
import type { AdapterState } from '../adapter.ts'

const KEPT = 200

const replySchema = z.object({
  approved: z.boolean(),
  /** opencode has said that it took the answer. */
  taken: z.boolean(),
  stop: z.boolean(),
  sessionId: z.string().max(200),
  /** The tool call that the request was about: what became of it tells which answer it got. */
  messageId: z.string().max(200).optional(),
  callId: z.string().max(200).optional(),
})
export type SavedReply = z.infer<typeof replySchema>

const askedSchema = z.object({
  id: z.string().max(200),
  kind: z.enum(['permission', 'question']),
  sessionID: z.string().max(200),
  tool: z.object({ messageID: z.string().max(200), callID: z.string().max(200) }).optional(),
})
export type SavedAsked = z.infer<typeof askedSchema>

const savedStateSchema = z.object({
  server: z.object({ port: z.number().int().min(1).max(65_535), password: z.string().max(200) }).optional(),
  /** Agents whose own rules had to be overridden; known after the first look at the running server. */
  agents: z.array(z.string().max(500)).max(1_000).default([]),
  session: z.string().max(200).optional(),
  /** By delivery id: the ids a prompt has, written before it is sent. */
  prompts: z
    .record(z.string().max(30), z.object({ messageId: z.string().max(200), partId: z.string().max(200) }))
    .default({}),
  /** By request id: the answer we are giving (written before it is sent) and whether opencode has taken it. */
  replies: z.record(z.string().max(200), replySchema).default({}),
  /** Requests that were reported and are not known to be settled. */
  asked: z.array(askedSchema).max(10_000).default([]),
  /** A denial has asked for the end of the turn that runs now. */
  stopping: z.boolean().default(false),
})
type SavedState = z.infer<typeof savedStateSchema>

/** The adapter's facts about one task, read once and written through. */
export function createSavedState(state: AdapterState) {
  const parsed = savedStateSchema.safeParse(state.get())
  let current: SavedState = parsed.success ? parsed.data : savedStateSchema.parse({})

  function change(values: Partial<SavedState>): void {
    const next = { ...current, ...values }
    state.set(next)
    current = next
  }

  return {
    get: (): Readonly<SavedState> => current,
    change,
    setPrompt(deliveryId: number, ids: { messageId: string; partId: string }): void {
      change({ prompts: newest({ ...current.prompts, [deliveryId]: ids }) })
    },
    setReply(requestId: string, reply: SavedReply): void {
      change({ replies: newest({ ...current.replies, [requestId]: reply }) })
    },
    isAsked: (requestId: string) => current.asked.some(({ id }) => id === requestId),
    addAsked(request: SavedAsked): void {
      change({ asked: [...current.asked.filter(({ id }) => id !== request.id), request] })
    },
    removeAsked(requestId: string): void {
      const asked = current.asked.filter(({ id }) => id !== requestId)
      if (asked.length < current.asked.length) change({ asked })
    },
  }
}
export type SavedStateStore = ReturnType<typeof createSavedState>

function newest<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).slice(-KEPT))
}
