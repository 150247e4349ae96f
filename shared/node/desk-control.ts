import net from 'node:net'
import path from 'node:path'
import { z } from 'zod'
import { parseJson } from '../json.ts'
import { AppError, fromWireError } from '../errors.ts'
import { wireErrorSchema } from '../wire-error.ts'
import { readDispensable } from './private-file.ts'

/** Longest path a Unix socket may have, as in home.ts. */
const MAX_SOCKET_PATH_BYTES = 100
const MAX_ANSWER_BYTES = 256 * 1024
const ANSWER_TIMEOUT_MS = 5_000

/** What `<home>/desk/ui.json` says about the browser shell that runs for a home. */
export const deskClaimSchema = z.object({
  v: z.literal(1),
  pid: z.number().int().positive(),
  port: z.number().int().min(1).max(65_535),
  /** Its control socket; it listened before this was written, so nobody listening there means that it is over. */
  socket: z.string().min(1).max(4_096),
})
export type DeskClaim = z.infer<typeof deskClaimSchema>

/** One signed-in browser. Times are milliseconds since the epoch. */
export const deskSessionSchema = z.object({
  id: z.string().max(64),
  createdAt: z.number().int(),
  lastSeenAt: z.number().int(),
  /** The browser's own name for itself (User-Agent), cut. */
  agent: z.string().max(300),
  /** Pages that are open in it. */
  windows: z.number().int().min(0),
})
export type DeskSession = z.infer<typeof deskSessionSchema>

/** What may be asked over the control socket: one JSON line. */
export const deskRequestSchema = z.discriminatedUnion('ask', [
  z.object({ ask: z.literal('ticket') }),
  z.object({ ask: z.literal('sessions') }),
  z.object({ ask: z.literal('revoke'), id: z.string().min(1).max(64) }),
])
export type DeskRequest = z.infer<typeof deskRequestSchema>

/** The address of a browser shell, good for one sign-in; also the one line it prints when it serves. */
export const deskAddressSchema = z.object({
  v: z.literal(1),
  url: z.string().max(400),
  port: z.number().int(),
  pid: z.number().int(),
})
export type DeskAddress = z.infer<typeof deskAddressSchema>

const answers = {
  ticket: deskAddressSchema,
  sessions: z.object({ sessions: z.array(deskSessionSchema).max(200) }),
  revoke: z.object({ closedWindows: z.number().int() }),
} as const
type Answers = typeof answers

const failureSchema = z.object({ error: wireErrorSchema })

/** Where the browser shell of a home writes which process it is. */
export function deskClaimPath(homeRoot: string): string {
  return path.join(homeRoot, 'desk', 'ui.json')
}

/** A path for a control socket inside the home, or beside agentd's socket when that would be too long. */
export function deskSocketPath(home: { root: string; socket: string }, name: string): string {
  const inside = path.join(home.root, 'desk', name)
  return Buffer.byteLength(inside) <= MAX_SOCKET_PATH_BYTES
    ? inside
    : path.join(path.dirname(home.socket), name)
}

/** The browser shell that claims to run for a home; undefined when there is no claim that can be read. */
export function readDeskClaim(homeRoot: string): DeskClaim | undefined {
  return readDispensable(deskClaimPath(homeRoot), deskClaimSchema)
}

/**
 * Asks the browser shell over its control socket. Answers undefined when nobody listens there any more; throws `timeout`
 * when it does not answer, and what it refuses with.
 */
export async function askDesk<R extends DeskRequest>(
  claim: DeskClaim,
  request: R,
): Promise<z.output<Answers[R['ask']]> | undefined> {
  const text = await exchange(claim, JSON.stringify(request))
  if (text === undefined) return undefined
  const value: unknown = parseJson(text)
  const failure = failureSchema.safeParse(value)
  if (failure.success) throw fromWireError(failure.data.error)
  const answer = answers[request.ask].safeParse(value)
  if (!answer.success)
    throw new AppError({
      code: 'protocol_mismatch',
      message: `The desk that runs for this home (process ${claim.pid}) answers in another form than this version knows.`,
      hint: 'End it, then run `handoff ui` again.',
    })
  return answer.data as z.output<Answers[R['ask']]>
}

function exchange({ socket: socketPath, pid }: DeskClaim, line: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(socketPath)
    let text = ''
    socket.setEncoding('utf8')
    socket.setTimeout(ANSWER_TIMEOUT_MS, () => {
      socket.destroy()
      reject(
        new AppError({
          code: 'timeout',
          message: `The desk of this home (process ${pid}) does not answer.`,
          hint: `End process ${pid}, then run \`handoff ui\` again.`,
        }),
      )
    })
    socket.on('connect', () => socket.write(`${line}\n`))
    socket.on('data', (chunk: string) => {
      text += chunk
      if (text.length > MAX_ANSWER_BYTES) socket.destroy()
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE'].includes(error.code ?? '')) resolve(undefined)
      else reject(error)
    })
    // The other side ends after its line; without one it went away while being asked.
    socket.on('close', () => resolve(text === '' ? undefined : text))
  })
}
