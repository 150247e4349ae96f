import { AppError } from '../../../shared/errors.ts'
import type { HostConnection, Welcome } from '../../../shared/node/host-client/connection.ts'
import type { Call } from '../../../shared/node/host-client/pending-calls.ts'
import { cannotPair, notConnected } from './host-errors.ts'
import type { HostRecord } from './host-records.ts'
import type { DeskPlatform } from '../platform.ts'
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
  /** Whose secrets these are. */
  shell: DeskPlatform['shell']
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
  /** The host refused `shown`: true when it was the desk's own token, which is then forgotten unless there is a newer one. */
  forgetRefused(shown: ShownToken | undefined): boolean
  /** Another host answers at the same place: nothing has been tried with it. */
  startAnew(hostId: string): void
}

/** Pairs with one host, and remembers what became of it. */
export function createPairing(needs: PairingNeeds): Pairing {
  const { name, tokens, record } = needs
  const what = { role: 'user' as const, name: `Desk on ${needs.machineName}`.slice(0, 200) }
  let underWay: Promise<void> | undefined
  let hasTried = false

  const own = () => record.get().tokens[needs.shell] ?? {}
  function setOwn(one: HostRecord['tokens']['browser'], pairing = record.get().pairing): void {
    record.change({ pairing, tokens: { ...record.get().tokens, [needs.shell]: one } })
  }

  async function pairNow(): Promise<void> {
    if (!needs.isTrustedWay) throw cannotPair(name)
    const live = needs.connection()
    if (live === undefined) throw notConnected(name)
    const { id: old } = own()
    const named = await dropLeftOver(live.call)
    setOwn({ id: old, before: named })
    const { token, id } = await makeUserToken(live.call, what)
    // First the id, so that a token which is not kept after all can be taken back.
    setOwn({ id, before: named })
    tokens.keepPaired(live.welcome.hostId, token)
    setOwn({ id }, 'paired')
    // Nobody has it any more: this desk had it, and has been paired again.
    if (old !== undefined && old !== id && named.includes(old)) await revoke(live.call, old)
    needs.onPaired()
  }

  /**
   * A desk that ended, or lost the host, in the middle of pairing has left a token there that nobody has: it is revoked. Answers the
   * ids of the others that are called like it.
   */
  async function dropLeftOver(call: Call): Promise<string[]> {
    const { before, id: mine } = own()
    const { tokens: all } = await call('token.list', {}, { timeoutMs: PAIR_TIMEOUT_MS })
    const named = all.filter(({ role, name: its }) => role === what.role && its === what.name)
    const isLeft = ({ id, lastUsedAt }: (typeof named)[number]) =>
      before !== undefined && lastUsedAt === undefined && (id === mine || !before.includes(id))
    for (const { id } of named.filter(isLeft)) await revoke(call, id)
    return named.filter((one) => !isLeft(one)).map(({ id }) => id)
  }

  /** Best effort: the host may be leaving, or somebody has done it already. */
  async function revoke(call: Call, token: string): Promise<void> {
    await call('token.revoke', { token }, { timeoutMs: PAIR_TIMEOUT_MS }).catch(needs.onProblem)
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
      // Another desk of this home has made one since.
      const now = tokens.of(name, hostId)
      if (now !== undefined && now.token !== shown.token) return true
      tokens.forgetPaired(hostId)
      setOwn(undefined, 'revoked')
      return true
    },
    startAnew(hostId) {
      record.change({ hostId, pairing: 'none', tokens: {} })
      hasTried = false
    },
  }
}

/**
 * Makes a token with the role `user` over a connection that the host trusts (socket, ssh), as a person at its terminal
 * would: the host says what the token is, and is shown that exactly this was read. Throws what the host says.
 */
async function makeUserToken(
  call: Call,
  what: { role: 'user'; name: string },
): Promise<{ token: string; id: string }> {
  const options = { timeoutMs: PAIR_TIMEOUT_MS }
  const { nonce, sha256 } = await call('token.present', what, options)
  const { token, info } = await call('token.create', { ...what, typed: { nonce, sha256 } }, options)
  return { token, id: info.id }
}
