import { hasHash, hashOf, newSecret } from './secret.ts'

const VALID_MS = 2 * 60_000
const MAX_TICKETS = 100

/** One-time tickets for signing in. Only their hashes are kept, in memory. */
export function createSignInTickets({ now }: { now: () => number }) {
  let open: { hash: string; until: number }[] = []

  return {
    /** Makes a ticket that is good for one sign-in within two minutes. */
    create(): string {
      const ticket = newSecret()
      open = [...open, { hash: hashOf(ticket), until: now() + VALID_MS }].slice(-MAX_TICKETS)
      return ticket
    },

    /** Whether the ticket is good; it is not a second time. */
    redeem(ticket: string): boolean {
      open = open.filter(({ until }) => until > now())
      const found = open.find(({ hash }) => hasHash(ticket, hash))
      open = open.filter((one) => one !== found)
      return found !== undefined
    },
  }
}

/** The tickets of `handoff ui` that are still good. */
export type SignInTickets = ReturnType<typeof createSignInTickets>
