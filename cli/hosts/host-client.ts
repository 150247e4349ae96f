import type { Call } from '../../shared/node/host-client/pending-calls.ts'
import type { Welcome } from '../../shared/node/host-client/connection.ts'

/** One live connection to one host, as the commands need it. */
export interface HostClient {
  readonly welcome: Welcome
  readonly call: Call
  close(): Promise<void>
}
