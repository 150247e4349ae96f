import { build } from 'esbuild'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { root } from './agentd.ts'

const script = `
import { createRoot } from 'react-dom/client'
import { createElement as h, useEffect, useState } from 'react'
function Rows() {
  const [rows, setRows] = useState(['Task 1'])
  useEffect(() => {
    const ws = new WebSocket(location.origin.replace('http', 'ws'))
    ws.onmessage = ({ data }) => setRows([JSON.parse(data).text])
    return () => ws.close()
  }, [])
  return rows.map((text) => h('div', { role: 'option', key: text }, text, h('time', null, 'now')))
}
createRoot(document.getElementById('root')).render(h(Rows))
`

/**
 * The baseline of what is shown in a page: a page with React, the same build of it as the window's, that shows one row and
 * what is pushed to it. No Handoff in it.
 */
export async function startBarePage() {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: root, loader: 'js' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const code = outputFiles[0]?.text ?? ''
  const html = '<!doctype html><div id="root"></div><script type="module" src="/bare.js"></script>'
  const server = http.createServer(({ url }, response) => {
    const isScript = url === '/bare.js'
    response.writeHead(200, { 'Content-Type': isScript ? 'text/javascript' : 'text/html' })
    response.end(isScript ? code : html)
  })
  const sockets = new WebSocketServer({ server, perMessageDeflate: false })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    isConnected: () => sockets.clients.size > 0,
    /** Shows a text on every page; answers the time before it was sent (ms since the epoch). */
    push(text: string): number {
      const at = performance.timeOrigin + performance.now()
      for (const socket of sockets.clients) socket.send(JSON.stringify({ text }))
      return at
    },
    async stop(): Promise<void> {
      for (const socket of sockets.clients) socket.terminate()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}
