import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { createUploads, type UploadLimits } from '../../agentd/server/uploads.ts'
import { connectHost } from '../../shared/node/host-client/connection.ts'
import { uploadFile } from '../../shared/node/host-client/upload.ts'
import { startServer } from '../support/server.ts'
import { serversForTest } from '../support/servers-for-test.ts'
import { until } from '../support/until.ts'

const { open, connections } = serversForTest()

async function start(limits: Partial<UploadLimits> = {}, freeBytes?: () => Promise<number>) {
  const folder = mkdtempSync(path.join(tmpdir(), 'handoff-uploads-'))
  const incoming = path.join(folder, 'incoming')
  mkdirSync(incoming)
  const uploads = createUploads({ folder: incoming, limits, ...(freeBytes && { freeBytes }) })
  const started = await startServer({ handlers: uploads.handlers })
  open.push({
    async end() {
      await started.end()
      await uploads.dispose()
      rmSync(folder, { recursive: true })
    },
  })
  const connect = async (clientId = 'tester') => {
    const connection = await connectHost({ ...started.client, clientId })
    connections.push(connection)
    return connection
  }
  const file = (content: Buffer) => {
    const name = path.join(folder, randomBytes(4).toString('hex'))
    writeFileSync(name, content)
    return name
  }
  return { uploads, incoming, connect, file }
}

it('brings a file over whole, 0600, and keeps it until it is discarded', async () => {
  const { uploads, incoming, connect, file } = await start()
  const content = randomBytes(5_000_001)
  const connection = await connect()
  const progress: number[] = []
  const uploadId = await uploadFile({
    call: connection.call,
    path: file(content),
    onProgress: (sentBytes) => progress.push(sentBytes),
  })
  expect(progress.at(-1)).toBe(content.length)
  expect(() => uploads.take(uploadId, 'somebody-else')).toThrow(/no such upload/)
  const taken = uploads.take(uploadId, 'tester')
  expect(statSync(taken).mode & 0o777).toBe(0o600)
  connection.close()
  await connection.closed
  expect(readFileSync(taken).equals(content)).toBe(true)
  await uploads.discard(uploadId)
  expect(readdirSync(incoming)).toEqual([])
})

it('drops what was not taken when the connection ends', async () => {
  const { incoming, connect } = await start()
  const connection = await connect()
  const { uploadId } = await connection.call('upload.begin', { sizeBytes: 10 })
  await connection.call('upload.chunk', {
    uploadId,
    offset: 0,
    data: Buffer.from('12345').toString('base64'),
  })
  expect(readdirSync(incoming)).toHaveLength(1)
  connection.close()
  await until('the file to be gone', () => readdirSync(incoming).length === 0)
})

it('drops what nobody goes on with', async () => {
  const { incoming, connect } = await start({ idleMs: 50 })
  const connection = await connect()
  const { uploadId } = await connection.call('upload.begin', { sizeBytes: 10 })
  await until('the file to be gone', () => readdirSync(incoming).length === 0)
  await expect(connection.call('upload.chunk', { uploadId, offset: 0, data: 'AAAA' })).rejects.toMatchObject({
    code: 'bad_request',
  })
})

it('takes no piece that does not continue, is too long, is not base64 or belongs to another client', async () => {
  const { uploads, connect } = await start()
  const connection = await connect()
  const other = await connect('other')
  const { uploadId } = await connection.call('upload.begin', { sizeBytes: 6 })
  const chunk = (offset: number, data: string, by = connection) =>
    by.call('upload.chunk', { uploadId, offset, data })
  const refused = { code: 'bad_request' }
  await expect(chunk(1, 'AAAA')).rejects.toMatchObject({ ...refused, details: { expectedOffset: 0 } })
  await expect(chunk(0, 'AAAAAAAAAAAA')).rejects.toMatchObject(refused)
  await expect(chunk(0, '../../')).rejects.toMatchObject(refused)
  await expect(chunk(0, '')).rejects.toMatchObject(refused)
  await expect(chunk(0, 'AAAA', other)).rejects.toMatchObject(refused)
  expect(() => uploads.take(uploadId, 'tester')).toThrow(/not complete/)
  await chunk(0, 'AAAA')
  await expect(chunk(0, 'AAAA')).rejects.toMatchObject({ ...refused, details: { expectedOffset: 3 } })
  await chunk(3, 'AAAA')
  expect(readFileSync(uploads.take(uploadId, 'tester'))).toEqual(Buffer.alloc(6))
})

it('bounds size and number, and says so', async () => {
  const { incoming, connect } = await start({ maxBytes: 1_000, perClient: 2 })
  const connection = await connect()
  const begin = (sizeBytes: number, by = connection) => by.call('upload.begin', { sizeBytes })
  await expect(begin(1_001)).rejects.toMatchObject({ code: 'too_large' })
  const outcomes = await Promise.allSettled([begin(1), begin(1), begin(1)])
  expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  await expect(begin(1)).rejects.toMatchObject({ code: 'rate_limited' })
  await begin(1, await connect('other'))
  expect(readdirSync(incoming)).toHaveLength(3)
})

it('says at once that the disk has no room', async () => {
  const { incoming, connect } = await start({}, () => Promise.resolve(999))
  const connection = await connect()
  await expect(connection.call('upload.begin', { sizeBytes: 1_000 })).rejects.toMatchObject({
    code: 'disk_full',
  })
  expect(readdirSync(incoming)).toEqual([])
  await connection.call('upload.begin', { sizeBytes: 999 })
})

it('stops sending when it is cancelled, and the host forgets the file', async () => {
  const { incoming, connect, file } = await start()
  const connection = await connect()
  const abort = new AbortController()
  const sending = uploadFile({
    call: connection.call,
    path: file(randomBytes(20_000_000)),
    signal: abort.signal,
    onProgress: () => abort.abort(),
  })
  await expect(sending).rejects.toMatchObject({ code: 'cancelled' })
  await until('the file to be gone', () => readdirSync(incoming).length === 0)
  expect(existsSync(incoming)).toBe(true)
})
