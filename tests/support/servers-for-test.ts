import { afterEach } from 'vitest'
import {
  connectHost,
  type ConnectOptions,
  type HostConnection,
} from '../../shared/node/host-client/connection.ts'
import { startServer } from './server.ts'

/** Servers and connections for the tests of one file; after each test all of them are closed, connections first. */
export function serversForTest() {
  const open: { end(): Promise<void> }[] = []
  const connections: HostConnection[] = []

  afterEach(async () => {
    for (const connection of connections.splice(0)) connection.close()
    for (const one of open.splice(0)) await one.end()
  })

  return {
    /** What else is to be ended after the test. */
    open,
    /** What else is to be closed after the test. */
    connections,
    async start(options: Parameters<typeof startServer>[0] = {}) {
      const started = await startServer(options)
      open.push(started)
      return started
    },
    async connect(options: ConnectOptions) {
      const connection = await connectHost(options)
      connections.push(connection)
      return connection
    },
  }
}
