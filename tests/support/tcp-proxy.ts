import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A way to a loopback port that can be cut and mended, as a network would be. */
export async function startTcpProxy(targetPort: number) {
  const sockets = new Set<Socket>()
  let open = true
  const server = createServer((inside) => {
    if (!open) return inside.destroy()
    const outside = connect(targetPort, '127.0.0.1')
    for (const [socket, other] of [
      [inside, outside],
      [outside, inside],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  })
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    /** Ends every connection; new ones are refused until `mend`. */
    cut() {
      open = false
      cut()
    },
    mend() {
      open = true
    },
    async dispose() {
      cut()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
