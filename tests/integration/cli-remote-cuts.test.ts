import { randomBytes } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { jsonShapes } from '../../cli/json-shapes.ts'
import { startRemote, type Remote } from '../support/remote.ts'
import { createRepository, type TestRepository } from '../support/repository.ts'
import { requires } from '../support/requirements.ts'
import { until } from '../support/until.ts'

const needs = requires('sshd', 'tmux')

describe.skipIf(needs.skip)(needs.title('a connection over ssh that is cut'), () => {
  let remote: Remote
  let repo: TestRepository

  beforeAll(async () => {
    remote = await startRemote()
    await remote.addHost('box')
  })
  afterAll(() => remote.dispose())
  beforeEach(async () => {
    repo = await createRepository()
  })
  afterEach(() => repo.dispose())

  /** How many sessions sshd has begun. */
  const sessions = async () => (await remote.sshdLog()).split('Starting session').length - 1
  const sessionsAbove = (count: number) =>
    until('a further session', async () => (await sessions()) > count, { timeoutMs: 30_000 })

  it('does not end a wait, nor does a killed agentd, and the event is printed once', async () => {
    const { task } = await remote.dispatch(repo.path, ['sleep 8000', 'write a.txt one', 'commit One'])
    const before = await sessions()
    const waiting = remote.handoff(['wait', task.id])
    await sessionsAbove(before)
    await remote.sshd.dropConnections()
    await sessionsAbove(before + 1)
    process.kill((await remote.agentdPid()) ?? 0, 'SIGKILL')
    const { stdout, stderr, exitCode } = await waiting
    expect(exitCode).toBe(0)
    const lines = String(stdout).split('\n')
    expect(lines).toHaveLength(1)
    expect(jsonShapes.wait.parse(JSON.parse(lines[0] ?? ''))).toMatchObject({
      event: { type: 'completed' },
      sync: { kind: 'created' },
    })
    expect(String(stderr)).toMatch(/^! box cannot be reached \(.*\); trying again until it is back$/m)
    expect(String(stderr)).toMatch(/^✓ box is back$/m)
    const again = await remote.handoff(['wait', task.id, '--timeout', '1'])
    expect([again.exitCode, again.stdout]).toEqual([124, ''])
  })

  it('leaves no gap and no repeat in what is followed', async () => {
    const parts = Array.from({ length: 6 }, (_, index) => [`say part ${index}`, 'sleep 1200'])
    const { task } = await remote.dispatch(repo.path, [...parts.flat(), 'write a.txt x', 'commit One'])
    const following = remote.handoff(['wait', task.id, '--follow'], { buffer: false })
    let text = ''
    following.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()))
    const lines = () => text.split('\n').filter((line) => line !== '')
    for (const count of [1, 5, 7]) {
      await until(`${count} lines`, () => lines().length >= count, { timeoutMs: 30_000 })
      await remote.sshd.dropConnections()
    }
    await until('the review', () => text.includes('"type":"completed"'), { timeoutMs: 30_000 })
    const { events } = await remote.json('show', ['show', task.id, '--history', '1000'])
    await remote.handoff(['done', task.id])
    expect((await following).exitCode).toBe(0)
    const seqs = lines().map((line) => jsonShapes.wait.parse(JSON.parse(line)).event.seq)
    expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b))
    expect(seqs).toEqual(expect.arrayContaining(events.map(({ seq }) => seq)))
  })

  it('neither loses nor doubles a dispatch', async () => {
    await writeFile(path.join(repo.path, 'big'), randomBytes(12 << 20))
    await repo.commit('big')
    const incoming = path.join(remote.remoteHome, 'incoming')
    const sending = remote.dispatch(repo.path, ['commit x'])
    await until('the upload', async () => (await readdir(incoming)).length > 0, { timeoutMs: 30_000 })
    await remote.sshd.dropConnections()
    expect((await sending).sentBytes).toBeGreaterThan(12 << 20)
    expect(await readdir(incoming)).toEqual([])
    // At different moments of one dispatch.
    for (const cuts of [1, 2, 3]) {
      const before = await sessions()
      const one = remote.dispatch(repo.path, ['commit x'])
      for (let cut = 0; cut < cuts; cut += 1) {
        await sessionsAbove(before + cut)
        await until('some progress', async () => (await remote.sshd.dropConnections(), true))
      }
      await one
    }
    const { tasks } = await remote.json('tasks', ['--host', 'box', 'tasks', '--all'])
    const ours = tasks.filter((task) =>
      path.basename(task.repo).startsWith(path.basename(repo.path).toLowerCase()),
    )
    expect(ours).toHaveLength(4)
  })
})
