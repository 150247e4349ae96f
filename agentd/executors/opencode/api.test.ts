import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createOpencodeApi } from './api.ts'

interface Seen {
  path: string
  authorization: string | undefined
  body: string
}

const seen: Seen[] = []
const server = http.createServer((request, response) => {
  let body = ''
  request.on('data', (chunk: Buffer) => (body += chunk.toString()))
  request.on('end', () => {
    seen.push({ path: request.url ?? '', authorization: request.headers.authorization, body })
    response.end('{}')
  })
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => new Promise((resolve) => server.close(resolve)))

/** Makes every call there is; what the answers are good for is not the question here. */
async function callEverything(): Promise<void> {
  const { port } = server.address() as AddressInfo
  const api = createOpencodeApi({ port, password: 'secret' })
  const calls: Promise<unknown>[] = [
    api.health(1_000),
    api.agents(),
    api.sessions(),
    api.session('ses_1'),
    api.children('ses_1'),
    api.statuses(),
    api.messages('ses_1', 5),
    api.message('ses_1', 'msg_1'),
    api.permissions(),
    api.questions(),
    api.createSession({ title: 'x', metadata: {}, permission: [] }),
    api.prompt('ses_1', { messageId: 'msg_1', partId: 'prt_1', text: 'hello' }),
    api.abort('ses_1'),
    api.replyPermission('per_1', { reply: 'reject', message: 'no' }),
    api.replyPermission('per_1', { reply: 'once' }),
    api.answerQuestion('que_1', [['a']]),
    api.rejectQuestion('que_1'),
  ]
  expect(calls).toHaveLength(Object.values(api).filter((value) => typeof value === 'function').length + 1)
  await Promise.allSettled(calls)
}

it('uses one family of paths, because the newer /api/… does not see what was begun in the other, and never "always"', async () => {
  await callEverything()
  expect(seen).toHaveLength(17)
  expect(seen.map(({ path }) => path).filter((path) => path.startsWith('/api'))).toEqual([])
  expect(seen.map(({ body }) => body).join()).not.toContain('always')
  const authorization = `Basic ${Buffer.from('opencode:secret').toString('base64')}`
  expect(new Set(seen.map((request) => request.authorization))).toEqual(new Set([authorization]))
})
