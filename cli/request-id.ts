import { randomBytes } from 'node:crypto'

/** A name for one request, so that sending it twice carries it out once. */
export function newRequestId(): string {
  return `r-${randomBytes(12).toString('hex')}`
}
