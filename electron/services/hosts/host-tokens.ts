import type { HostStore } from '../../../shared/node/hosts/host-store.ts'
import type { SecretBox } from './types.ts'

/** A token and where it came from: typed in by the person, made by pairing, or kept by the command line. */
export interface ShownToken {
  from: 'person' | 'pairing' | 'command'
  token: string
}

/** The tokens of hosts. */
export interface HostTokens {
  /** The one to show to a host; `hostId` is the machine that the name stood for so far. */
  of(name: string, hostId: string | undefined): ShownToken | undefined
  keepGiven(name: string, token: string | undefined): void
  keepPaired(hostId: string, token: string): void
  forgetPaired(hostId: string): void
}

/** Tokens of the person come first, then the one of pairing, then what the command line keeps. */
export function createHostTokens({
  secrets,
  store,
}: {
  secrets: SecretBox
  store: Pick<HostStore, 'token' | 'forgetToken'>
}): HostTokens {
  return {
    of(name, hostId) {
      const given = secrets.get(givenName(name))
      if (given !== undefined) return { from: 'person', token: given }
      const paired = hostId === undefined ? undefined : secrets.get(pairedName(hostId))
      if (paired !== undefined) return { from: 'pairing', token: paired }
      const stored = name === 'local' ? undefined : store.token(name)
      return stored === undefined || stored === '' ? undefined : { from: 'command', token: stored }
    },
    keepGiven(name, token) {
      if (token !== undefined) return secrets.set(givenName(name), token)
      secrets.remove(givenName(name))
      if (name !== 'local') store.forgetToken(name)
    },
    keepPaired: (hostId, token) => secrets.set(pairedName(hostId), token),
    forgetPaired: (hostId) => secrets.remove(pairedName(hostId)),
  }
}

const givenName = (name: string): string => `token:${name}`
const pairedName = (hostId: string): string => `user-token:${hostId}`
