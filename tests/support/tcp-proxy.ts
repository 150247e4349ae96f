import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A way to a loopback port that can be cut, frozen and mended, as a network would be. */
export async function startTcpProxy(firstPort: number) {
  let targetPort = firstPort
  const pairs = new Set<[Socket, Socket]>()
  let state: 'open' | 'cut' | 'frozen' = 'open'

  function join([inside, outside]: [Socket, Socket]): void {
    inside.pipe(outside)
    outside.pipe(inside)
  }
  function destroyAll(): void {
    for (const [inside, outside] of pairs) {
      inside.destroy()
      outside.destroy()
    }
  }

  const server = createServer((inside) => {
    if (state === 'cut') return inside.destroy()
    const pair: [Socket, Socket] = [inside, connect(targetPort, '127.0.0.1')]
    pairs.add(pair)
    for (const [socket, other] of [pair, [pair[1], pair[0]]] as const) {
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        pairs.delete(pair)
        other.destroy()
      })
    }
    if (state === 'open') join(pair)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    port: (server.address() as AddressInfo).port,
    /** New connections lead to another port, as when an address is given to another machine. */
    leadTo(port: number): void {
      targetPort = port
    },
    /** Ends every connection; new ones are refused until `mend`. */
    cut(): void {
      state = 'cut'
      destroyAll()
    },
    /** Lets nothing through any more, without ending a connection. */
    freeze(): void {
      state = 'frozen'
      for (const [inside, outside] of pairs) {
        inside.unpipe(outside)
        outside.unpipe(inside)
      }
    },
    mend(): void {
      if (state === 'frozen') for (const pair of pairs) join(pair)
      state = 'open'
    },
    async dispose(): Promise<void> {
      destroyAll()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
