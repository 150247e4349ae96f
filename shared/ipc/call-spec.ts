import { z } from 'zod'
import { hostName } from '../domain/host-name.ts'

/** A declared call between the window and the services: what goes in and what comes out. */
export interface IpcCallSpec {
  input: z.ZodType
  output: z.ZodType
}

/** Declares a call. */
export function ipcCall<I extends z.ZodType, O extends z.ZodType>(input: I, output: O) {
  return { input, output }
}

/** A call without input, or without anything to say. */
export const nothing = z.object({})
/** A whole task id. */
export const taskId = z.uuid()
/** Which task, on which host. */
export const taskAt = z.object({ host: hostName, taskId })
/** Which ticket, on which host. */
export const ticketAt = z.object({ host: hostName, ticketId: z.string().min(38).max(240) })
/** An id that the services gave out. */
export const deskId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)
/** Of a call that waits for a host: names it for `job.cancel`, so that the person need not wait. */
export const mayCancel = { jobId: deskId.optional() }
/** An absolute path on this machine, or one that begins with `~/`. */
export const localPath = z
  .string()
  .min(1)
  .max(4_096)
  .regex(/^(\/|~(\/|$)|[A-Za-z]:[\\/])[^\0]*$/)
/** Part of a long list: rows from `offset` on, at most `limit`. */
export const listWindow = z.object({
  offset: z.number().int().min(0).max(10_000_000).default(0),
  limit: z.number().int().min(1).max(500).default(100),
})
