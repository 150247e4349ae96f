import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { AppError } from '../../shared/errors.ts'

/** What a person was shown on a terminal, and the nonce that proves it was handed out for exactly this text. */
export interface Presented {
  text: string
  nonce: string
  sha256: string
}

const VALID_MS = 10 * 60_000
const MAX_OPEN = 1_000

/**
 * Hands out exact texts to be shown to a person, and checks that an answer refers to the text that was shown. It shows
 * that a client went through the motions, not that a human did: docs/security.md says what this stops and what not.
 */
export function createPresentation({ now }: { now: () => number }) {
  const given = new Map<string, { subject: string; sha256: string; at: number }>()

  return {
    /** `subject` names what the text is about; the nonce is good for that subject only, once, for ten minutes. */
    present(subject: string, text: string): Presented {
      for (const [nonce, entry] of given)
        if (now() - entry.at > VALID_MS || given.size >= MAX_OPEN) given.delete(nonce)
      const nonce = randomBytes(16).toString('base64url')
      const sha256 = createHash('sha256').update(text).digest('hex')
      given.set(nonce, { subject, sha256, at: now() })
      return { text, nonce, sha256 }
    },
    /** Uses a nonce up; throws when it was not handed out for this subject and text. */
    redeem(subject: string, typed: { nonce: string; sha256: string }): void {
      const entry = given.get(typed.nonce)
      given.delete(typed.nonce)
      const good =
        entry !== undefined &&
        entry.subject === subject &&
        now() - entry.at <= VALID_MS &&
        timingSafeEqual(Buffer.from(entry.sha256, 'hex'), Buffer.from(typed.sha256, 'hex'))
      if (!good)
        throw new AppError({
          code: 'person_required',
          message: 'The text that was shown is not the one that is being decided on.',
          hint: 'Show it again and answer within ten minutes.',
        })
    },
  }
}
