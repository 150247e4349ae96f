import { createHash } from 'node:crypto'
import type { Ask } from '../domain/ticket.ts'

/** What a decision is about, in short: another text, diff or choice gives another digest. */
export function askDigest({ kind, text, ...rest }: Ask): string {
  const { diff, options } = { diff: undefined, options: undefined, ...rest }
  return createHash('sha256')
    .update(JSON.stringify([kind, text, diff ?? '', ...(options === undefined ? [] : [options])]))
    .digest('base64url')
}
