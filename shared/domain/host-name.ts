import { z } from 'zod'
import { textLimits } from './text-limits.ts'

/** The name that a person gives a host; `local` is this machine and always there. */
export const hostName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/)
  .max(textLimits.hostName)
