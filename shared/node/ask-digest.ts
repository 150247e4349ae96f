import { createHash } from 'node:crypto'
import type { Ask } from '../domain/ticket.ts'

/**
 * What a decision is about, in short: another text, diff or choice gives another digest. Host and desk compare theirs, so that it
 * stays as it is, and what only one of them knows of a choice does not count.
 */
export function askDigest({ kind, text, ...rest }: Ask): string {
  const { diff, options: all, round } = { diff: undefined, options: undefined, round: undefined, ...rest }
  const options = all?.map(({ label, description }) => ({ label, description }))
  const more = options ?? round
  return createHash('sha256')
    .update(JSON.stringify([kind, text, diff ?? '', ...(more === undefined ? [] : [more])]))
    .digest('base64url')
}
