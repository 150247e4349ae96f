import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { tempDirForTest } from '../../tests/support/temp.ts'
import { createDeskLog } from '../services/desk/log.ts'
import { createBrowserServer } from './server.ts'

it('writes a bug of its own into the log, with where it is and without what was asked for', async () => {
  const logs = await tempDirForTest()
  const server = createBrowserServer({
    files: { serve: () => Promise.reject(new TypeError('a bug')) },
    signIn: { sessionOf: () => undefined, handle: () => Promise.resolve() },
    windows: () => undefined,
    log: createDeskLog(logs),
  })
  const port = await server.listen(0)
  onTestFinished(server.dispose)
  const answer = await fetch(`http://127.0.0.1:${port}/page?ticket=hunter2`, {
    headers: { cookie: 'session=hunter2' },
  })
  expect([answer.status, await answer.text()]).toEqual([500, expect.not.stringContaining('a bug')])
  const text = readFileSync(path.join(logs, 'desk.log'), 'utf8')
  expect(JSON.parse(text)).toMatchObject({
    level: 50,
    path: '/page',
    err: { type: 'TypeError', stack: expect.stringContaining('server.test.ts') },
  })
  expect(text).not.toContain('hunter2')
})

it('closes a connection on which nothing was asked without a word, which would be taken as the answer to the next request', async () => {
  const server = createBrowserServer({
    files: { serve: () => Promise.resolve() },
    signIn: { sessionOf: () => undefined, handle: () => Promise.resolve() },
    windows: () => undefined,
    log: createDeskLog(await tempDirForTest()),
    patience: { requestTimeout: 50, headersTimeout: 50, connectionsCheckingInterval: 20 },
  })
  const socket = connect(await server.listen(0), '127.0.0.1')
  onTestFinished(server.dispose)
  let heard = ''
  socket.setEncoding('utf8').on('data', (text: string) => (heard += text))
  await once(socket, 'close')
  expect(heard).toBe('')
})

it('takes a request that is broken off for no bug of its own', async () => {
  const logs = await tempDirForTest()
  let heard: () => void
  const isRead = new Promise<void>((resolve) => (heard = resolve))
  let outcome: Promise<unknown> = Promise.resolve()
  const read = async (request: IncomingMessage) => {
    heard()
    for await (const chunk of request) void chunk
  }
  const server = createBrowserServer({
    files: { serve: () => Promise.resolve() },
    signIn: { sessionOf: () => undefined, handle: (request) => (outcome = read(request)) as Promise<void> },
    windows: () => undefined,
    log: createDeskLog(logs),
  })
  const port = await server.listen(0)
  onTestFinished(server.dispose)
  const socket = connect(port, '127.0.0.1')
  const host = `127.0.0.1:${port}`
  socket.write(
    `POST /session HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nContent-Length: 9\r\n\r\n{`,
  )
  await isRead
  socket.destroy()
  await expect(outcome).rejects.toThrow('aborted')
  await fetch(`http://${host}/`, { method: 'DELETE' })
  const { size } = await stat(path.join(logs, 'desk.log')).catch(() => ({ size: 0 }))
  expect(size).toBe(0)
})
