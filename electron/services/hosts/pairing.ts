import { AppError } from '../../../shared/errors.ts'
import type { HostConnection, Welcome } from '../../../shared/node/host-client/connection.ts'
import type { Call } from '../../../shared/node/host-client/pending-calls.ts'
import { cannotPair, notConnected } from './host-errors.ts'
import type { HostRecord } from './host-records.ts'
import type { HostTokens, ShownToken } from './host-tokens.ts'

const PAIR_TIMEOUT_MS = 10_000

/** What the pairing with one host needs. */
export interface PairingNeeds {
  name: string
  /** Whether the way there (socket, ssh) proves who the desk is. */
  isTrustedWay: boolean
  isLocal: boolean
  machineName: string
  tokens: HostTokens
  record: { get(): HostRecord; change(patch: Partial<HostRecord>): HostRecord }
  connection: () => HostConnection | undefined
  /** Only a new connection shows the token. */
  onPaired: () => void
  onProblem: (error: unknown) => void
}

/** The user token that the desk makes for itself at one host. */
export interface Pairing {
  /** Whether a host that has just let the desk in is to be paired with before it counts as connected. */
  isDue(welcome: Welcome, shown: ShownToken | undefined): boolean
  /** The try at the first connection; false without success, and then the desk is a reviewer there. */
  first(): Promise<boolean>
  /** Makes the token, once at a time, and keeps it. Throws what stands in the way. */
  pair(): Promise<void>
  /** The host refused `shown`: true when it was the desk's own token, which is then forgotten. */
  forgetRefused(shown: ShownToken | undefined): boolean
  /** Another host answers at the same place: nothing has been tried with it. */
  startAnew(hostId: string): void
}

/** Pairs with one host, and remembers what became of it. */
export function createPairing(needs: PairingNeeds): Pairing {
  const { name, tokens, record } = needs
  let underWay: Promise<void> | undefined
  let hasTried = false

  async function pairNow(): Promise<void> {
    if (!needs.isTrustedWay) throw cannotPair(name)
    const live = needs.connection()
    if (live === undefined) throw notConnected(name)
    const { token, id } = await makeUserToken(live.call, needs.machineName)
    tokens.keepPaired(live.welcome.hostId, token)
    record.change({ pairing: 'paired', tokenId: id })
    needs.onPaired()
  }

  function pair(): Promise<void> {
    underWay ??= pairNow().finally(() => (underWay = undefined))
    return underWay
  }

  return {
    isDue({ role }, shown) {
      if (!needs.isTrustedWay || role === 'user' || shown !== undefined || hasTried) return false
      const { pairing } = record.get()
      return pairing === 'wanted' || (needs.isLocal && pairing !== 'revoked')
    },
    async first() {
      hasTried = true
      try {
        await pair()
        return true
      } catch (error) {
        // A connection that broke meanwhile says nothing about the host; the next one tries again.
        if (error instanceof AppError && error.code === 'connection_lost') hasTried = false
        else needs.onProblem(error)
        return false
      }
    },
    pair,
    forgetRefused(shown) {
      const { hostId } = record.get()
      if (shown?.from !== 'pairing' || hostId === undefined) return false
      tokens.forgetPaired(hostId)
      record.change({ pairing: 'revoked', tokenId: undefined })
      return true
    },
    startAnew(hostId) {
      record.change({ hostId, pairing: 'none', tokenId: undefined })
      hasTried = false
    },
  }
}

/**
 * Makes a token with the role `user` over a connection that the host trusts (socket, ssh), as a person at its terminal
 * would: the host says what the token is, and is shown that exactly this was read. Throws what the host says.
 */
async function makeUserToken(call: Call, machineName: string): Promise<{ token: string; id: string }> {
  const what = { role: 'user' as const, name: `Desk on ${machineName}`.slice(0, 200) }
  const options = { timeoutMs: PAIR_TIMEOUT_MS }
  const { nonce, sha256 } = await call('token.present', what, options)
  const { token, info } = await call('token.create', { ...what, typed: { nonce, sha256 } }, options)
  return { token, id: info.id }
}
