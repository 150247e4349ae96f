import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** A secret of 256 random bits, in letters that an address may hold. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** What is kept of a secret: it has 256 random bits, so nothing slower is needed. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

/** Whether a secret has this hash; takes the same time for right and wrong ones. */
export function hasHash(secret: string, hash: string): boolean {
  const [a, b] = [Buffer.from(hashOf(secret)), Buffer.from(hash)]
  return a.length === b.length && timingSafeEqual(a, b)
}
