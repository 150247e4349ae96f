import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { WebSocket } from 'ws'
import { askDesk } from '../../shared/node/desk-control.ts'
import { startHost, type TestHost } from '../support/agentd.ts'
import { chromiumForTests } from '../support/chromium.ts'
import {
  closeCode,
  openWindow,
  postTicket,
  request,
  signIn,
  ticketIn,
  type Credentials,
} from '../support/desk-client.ts'
import { startDesk, type TestDesk } from '../support/desk.ts'
import { requires } from '../support/requirements.ts'

const needs = requires('git', 'tmux')
const browserNeeds = requires('git', 'tmux', 'chromium')

let host: TestHost
let desk: TestDesk
beforeAll(async () => {
  if (needs.skip) return
  host = await startHost()
  desk = await startDesk({ host })
})
afterAll(async () => {
  await desk?.dispose()
  await host?.dispose()
})

/** An open window; closed when the test is over. */
async function open(credentials: Credentials): Promise<WebSocket> {
  const opened = await openWindow(desk.port(), credentials)
  if (opened.kind === 'refused') throw new Error(`refused with ${opened.status}`)
  onTestFinished(() => opened.socket.terminate())
  return opened.socket
}

/** The answer to one call. */
function call(socket: WebSocket, frame: { id: number; name: string; input: unknown }): Promise<unknown> {
  return new Promise((resolve) => {
    socket.on('message', (data) => {
      const heard = JSON.parse(String(data)) as { id?: number; answer?: unknown }
      if (heard.id === frame.id) resolve(heard.answer)
    })
    socket.send(JSON.stringify(frame))
  })
}

const fresh = async () => signIn(desk.port(), await desk.newUrl())

describe.skipIf(needs.skip)(needs.title('a ticket'), () => {
  it('signs in once', async () => {
    const ticket = ticketIn(await desk.newUrl())
    expect((await postTicket(desk.port(), ticket)).status).toBe(200)
    const again = await postTicket(desk.port(), ticket)
    expect(again.status).toBe(401)
    expect(again.headers['set-cookie']).toBeUndefined()
    expect(JSON.parse(again.body)).toMatchObject({
      error: { code: 'unauthorized', hint: expect.stringContaining('handoff ui') as string },
    })
  })

  it('helps a page that was reloaded before it had kept its key, with one session in the end', async () => {
    const first = await postTicket(desk.port(), ticketIn(await desk.newUrl()))
    const cookie = String(first.headers['set-cookie']).split(';')[0] ?? ''
    const half = { Cookie: cookie }
    const asked = { Origin: `http://127.0.0.1:${desk.port()}`, ...half }
    expect((await request(desk.port(), { path: '/session', headers: asked })).status).toBe(401)
    const listed = async () => {
      const socket = await open(await fresh())
      const answer = await call(socket, { id: 1, name: 'session.list', input: {} })
      return (answer as { value: { sessions: unknown[] } }).value.sessions.length
    }
    const before = await listed()
    const again = await postTicket(desk.port(), ticketIn(await desk.newUrl()), half)
    expect(again.status).toBe(200)
    expect(again.headers['set-cookie']).not.toEqual(first.headers['set-cookie'])
    // Only the one that was made to look has come.
    expect(await listed()).toBe(before + 1)
  })

  it('becomes a cookie that scripts and other sites do not get', async () => {
    const answer = await postTicket(desk.port(), ticketIn(await desk.newUrl()))
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^handoff_session_[0-9a-f]{12}=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=\d+$/,
      ),
    ])
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it.each([
    ['another site', { Origin: 'https://example.com' }],
    ['another port of this machine', { Origin: 'http://127.0.0.1:1' }],
    ['a page without an origin', { Origin: 'null' }],
    ['a name that was made to point here', { Host: 'rebound.example', Origin: 'http://rebound.example' }],
    ['what the browser says is another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['what the browser says is another port', { 'Sec-Fetch-Site': 'same-site' }],
  ])('is not taken from %s, and is still good afterwards', async (_from, headers) => {
    const ticket = ticketIn(await desk.newUrl())
    expect((await postTicket(desk.port(), ticket, headers)).status).toBe(403)
    expect((await postTicket(desk.port(), ticket)).status).toBe(200)
  })

  it('is not taken from a form', async () => {
    const ticket = ticketIn(await desk.newUrl())
    expect((await postTicket(desk.port(), ticket, { 'Content-Type': 'text/plain' })).status).toBe(401)
  })

  it('keeps a browser that is signed in as who it is', async () => {
    const credentials = await fresh()
    const before = (await askDesk(desk.claim(), { ask: 'sessions' }))?.sessions.length
    const again = await postTicket(desk.port(), ticketIn(await desk.newUrl()), {
      Cookie: credentials.cookie,
      'X-Handoff-Key': credentials.key,
    })
    expect(again.status).toBe(200)
    expect((await askDesk(desk.claim(), { ask: 'sessions' }))?.sessions).toHaveLength(before ?? -1)
  })
})

describe.skipIf(needs.skip)(needs.title('a window'), () => {
  it('is opened by both halves of one session only', async () => {
    const [one, two] = [await fresh(), await fresh()]
    const statusOf = async (credentials: Partial<Credentials>) => {
      const opened = await openWindow(desk.port(), credentials)
      if (opened.kind === 'open') opened.socket.terminate()
      return opened.kind === 'open' ? 101 : opened.status
    }
    expect(await statusOf(one)).toBe(101)
    expect(await statusOf({})).toBe(401)
    expect(await statusOf({ cookie: one.cookie })).toBe(401)
    expect(await statusOf({ key: one.key })).toBe(401)
    expect(await statusOf({ cookie: one.cookie, key: two.key })).toBe(401)
    expect(await statusOf({ ...one, cookie: `${one.cookie}; ${two.cookie}` })).toBe(401)
  })

  it('is not opened from elsewhere, whoever sends the cookie', async () => {
    const credentials = await fresh()
    for (const headers of [
      { Origin: 'https://example.com' },
      { Origin: 'http://127.0.0.1:1' },
      { Host: 'rebound.example', Origin: 'http://rebound.example' },
      { Origin: `http://localhost:${desk.port()}` },
    ])
      expect(await openWindow(desk.port(), credentials, headers)).toEqual({ kind: 'refused', status: 403 })
  })

  it('is not opened with the session of somebody else’s desk', async () => {
    const other = await startDesk()
    onTestFinished(other.dispose, 60_000)
    const theirs = await signIn(other.port(), await other.newUrl())
    expect(await openWindow(desk.port(), theirs)).toEqual({ kind: 'refused', status: 401 })
    const secret = theirs.cookie.split('=')[1] ?? ''
    const ourName = (await fresh()).cookie.split('=')[0] ?? ''
    expect(await openWindow(desk.port(), { cookie: `${ourName}=${secret}`, key: theirs.key })).toEqual({
      kind: 'refused',
      status: 401,
    })
  })

  it('is closed at once when its session is revoked, and is not opened again', async () => {
    const credentials = await fresh()
    const socket = await open(credentials)
    const sessions = (await askDesk(desk.claim(), { ask: 'sessions' }))?.sessions ?? []
    const own = sessions.find(({ windows }) => windows === 1)
    const closed = closeCode(socket)
    expect(await askDesk(desk.claim(), { ask: 'revoke', id: own?.id ?? '' })).toEqual({ closedWindows: 1 })
    expect(await closed).toBe(4401)
    expect(await openWindow(desk.port(), credentials)).toEqual({ kind: 'refused', status: 401 })
  })

  it.each([
    ['no JSON', 'hello', 1008],
    ['no call', '{"id":1}', 1008],
    ['a field too many', '{"id":1,"name":"desk.state","input":{},"windowId":"x"}', 1008],
    ['bytes', Buffer.from([1, 2, 3]), 1008],
    ['more than a MiB', JSON.stringify({ id: 1, name: 'x', input: 'x'.repeat(1024 * 1024) }), 1009],
  ])('that sends %s is closed, and no other', async (_what, frame, code) => {
    const credentials = await fresh()
    const [hostile, other] = [await open(credentials), await open(credentials)]
    const closed = closeCode(hostile)
    hostile.send(frame)
    expect(await closed).toBe(code)
    expect(await call(other, { id: 7, name: 'no.such', input: {} })).toMatchObject({
      ok: false,
      error: { code: 'unknown_call' },
    })
  })
})

describe.skipIf(needs.skip)(needs.title('the page'), () => {
  it.each([
    '/../cli.js',
    '/%2e%2e/cli.js',
    '/assets/../../cli.js',
    '/..%2fcli.js',
    '//etc/passwd',
    '/assets/..\\..\\cli.js',
    '/cli.js',
    '/ws',
    '/index.html%00.js',
  ])('has nothing at %s', async (asked) => {
    expect((await request(desk.port(), { path: asked })).status).toBe(404)
  })

  it('is given with a policy that lets nothing else in', async () => {
    const { status, headers } = await request(desk.port(), { path: '/' })
    expect(status).toBe(200)
    const policy = headers['content-security-policy'] ?? ''
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "frame-ancestors 'none'",
      "form-action 'none'",
    ])
      expect(policy).toContain(part)
    expect(policy).not.toMatch(/script-src[^;]*unsafe/)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-store',
    })
  })

  it('is not given under a foreign name, nor for other methods', async () => {
    expect((await request(desk.port(), { path: '/', headers: { Host: 'rebound.example' } })).status).toBe(403)
    expect((await request(desk.port(), { path: '/', method: 'POST' })).status).toBe(405)
  })
})

describe.skipIf(needs.skip)(needs.title('the desk of a home'), () => {
  it('keeps only hashes, for this user alone', async () => {
    const credentials = await fresh()
    const folder = path.join(host.home, 'desk')
    const text = await readFile(path.join(folder, 'sessions.json'), 'utf8')
    expect(text).not.toContain(credentials.cookie.split('=')[1])
    expect(text).not.toContain(credentials.key)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    for (const file of [
      path.join(folder, 'sessions.json'),
      path.join(folder, 'ui.json'),
      desk.claim().socket,
    ])
      expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  it('is found by a second start, which gives a new ticket of it', async () => {
    const second = await startDesk({ host })
    onTestFinished(second.dispose, 60_000)
    expect(second.port()).toBe(desk.port())
    expect((await postTicket(desk.port(), ticketIn(second.url()))).status).toBe(200)
  })

  it('keeps its port and its sessions over a restart, and takes over after a kill', async () => {
    const credentials = await fresh()
    const port = desk.port()
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      await desk.end(signal)
      await desk.start()
      expect(desk.port()).toBe(port)
      await open(credentials)
    }
  })
})

describe.skipIf(browserNeeds.skip)(browserNeeds.title('in a browser'), () => {
  const chromium = chromiumForTests()

  it('the address of `handoff ui` signs in, forgets the ticket, and the plain address works from then on', async () => {
    const page = await desk.page(chromium)
    expect(page.url()).not.toContain('ticket')
    const socket = page.waitForEvent('websocket')
    await page.goto(`${desk.origin()}/`)
    expect((await socket).url()).toBe(`ws://127.0.0.1:${desk.port()}/ws`)
    expect(await page.evaluate(() => document.cookie)).toBe('')
    await page.context().close()
  })

  it('an address that was used says so, and how to get a new one; the plain address says that nobody signed in', async () => {
    const url = await desk.newUrl()
    await postTicket(desk.port(), ticketIn(url))
    const page = await (await chromium.context()).newPage()
    await page.goto(url)
    await page.getByText('This address was used already or is older than two minutes.').waitFor()
    await page.getByText('handoff ui').first().waitFor()
    await page.goto(`${desk.origin()}/`)
    await page.getByText('This browser is not signed in to this desk.').waitFor()
    await page.context().close()
  })

  it('a page whose session was revoked says that, not that its address was used', async () => {
    const page = await desk.page(chromium)
    await page.getByRole('navigation').first().waitFor()
    await page.context().clearCookies()
    await page.reload()
    await page.getByText('The session of this page has ended or was revoked.').waitFor()
    await page.context().close()
  })

  it('a page that is signed out takes the new address that is put into it', async () => {
    const page = await (await chromium.context()).newPage()
    await page.goto(`${desk.origin()}/`)
    await page.getByText('This browser is not signed in to this desk.').waitFor()
    // Only the part behind the `#` differs, so a browser stays on the page.
    await page.goto(await desk.newUrl())
    await page.getByRole('navigation').first().waitFor()
    expect(page.url()).not.toContain('ticket')
    await page.context().close()
  })

  it('a page whose scripts do not come says what to do', async () => {
    const page = await (await chromium.context()).newPage()
    await page.route('**/start-*.js', (route) => route.abort())
    await page.goto(await desk.newUrl())
    await page.getByText('If it stays like this, load this page again.').waitFor()
    await page.unroute('**/start-*.js')
    await page.reload()
    await page.getByRole('navigation').first().waitFor()
    expect(await page.getByText('If it stays like this').count()).toBe(0)
    await page.context().close()
  })

  it('breaks no rule of its own content security policy', async () => {
    const page = await (await chromium.context()).newPage()
    const broken: string[] = []
    page.on('console', (message) => {
      if (/content security policy/i.test(message.text())) broken.push(message.text())
    })
    await page.goto(await desk.newUrl())
    await page.getByRole('navigation').first().waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog').first().waitFor()
    expect(broken).toEqual([])
    await page.context().close()
  })
})
