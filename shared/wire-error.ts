import { z } from 'zod'
import { errorCodes, type WireError } from './errors.ts'

/** One code of the closed list. */
export const errorCodeSchema = z.enum(errorCodes)

/** What crosses a process boundary as an error. A code of a newer version counts as `internal`. */
export const wireErrorSchema = z.object({
  code: errorCodeSchema.catch('internal'),
  message: z.string().max(2_000),
  hint: z.string().max(2_000).optional(),
  details: z.record(z.string().max(100), z.unknown()).optional(),
}) satisfies z.ZodType<WireError>
