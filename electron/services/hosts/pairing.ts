import type { Call } from '../../../shared/node/host-client/pending-calls.ts'

const PAIR_TIMEOUT_MS = 10_000

/**
 * Makes a token with the role `user` over a connection that the host trusts (socket, ssh), as a person at its terminal
 * would: the host says what the token is, and is shown that exactly this was read. Throws what the host says.
 */
export async function makeUserToken(call: Call, machineName: string): Promise<{ token: string; id: string }> {
  const what = { role: 'user' as const, name: `Desk on ${machineName}`.slice(0, 200) }
  const options = { timeoutMs: PAIR_TIMEOUT_MS }
  const { nonce, sha256 } = await call('token.present', what, options)
  const { token, info } = await call('token.create', { ...what, typed: { nonce, sha256 } }, options)
  return { token, id: info.id }
}
