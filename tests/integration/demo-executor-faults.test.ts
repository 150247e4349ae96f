import { createServer, connect, type Server, type Socket } from 'node:net'
import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createDemoAdapter } from '../../agentd/executors/demo/adapter.ts'
import { reapTask, survivors } from '../../agentd/executors/reap.ts'
import { createTmux, type Tmux } from '../../agentd/executors/tmux.ts'
import { createExecutorHarness, type ExecutorHarness } from '../support/executor-harness.ts'
import { createRepository, type TestRepository } from '../support/repository.ts'
import { requires } from '../support/requirements.ts'
import { createTempDir } from '../support/temp.ts'
import { createTmuxPlace, type TmuxPlace } from '../support/tmux.ts'
import { until } from '../support/until.ts'

const needs = requires('git', 'tmux')

describe.skipIf(needs.skip)(needs.title('the demo executor when things break'), () => {
  let place: TmuxPlace
  let tmux: Tmux
  let repository: TestRepository
  let harness: ExecutorHarness | undefined

  beforeAll(async () => {
    place = await createTmuxPlace()
    tmux = createTmux({ environment: place.environment })
  })
  afterAll(() => place.dispose())
  beforeEach(async () => {
    repository = await createRepository()
  })
  afterEach(async () => {
    await harness?.dispose()
    await repository.dispose()
  })

  async function start(plan: string, dir?: string): Promise<ExecutorHarness> {
    const adapter = createDemoAdapter({ tmux })
    harness = await createExecutorHarness({
      ...{ adapter, place, repository, plan: `demo: fast\n${plan}` },
      ...(dir === undefined ? {} : { dir }),
    })
    await harness.session().start()
    await harness.prompt('Carry out the plan.')
    return harness
  }

  async function panePid(one: ExecutorHarness): Promise<number> {
    return (await tmux.panes(one.task.tmuxSession))?.[0]?.pid ?? 0
  }

  it('tells the end of its output when it crashes, and every fact before that', async () => {
    const one = await start('demo: progress 50\ndemo: crash')
    const lost = await one.fact('lost')
    expect(lost.message).toBe('The demo executor ended with exit code 3.')
    expect(lost.logTail).toContain('the plan says that this program crashes now')
    const texts = one.facts.flatMap((fact) => (fact.type === 'progress' ? [fact.text] : []))
    expect(texts.filter((text) => text.startsWith('progress '))).toHaveLength(50)
    expect(await one.prompt('more')).toMatchObject({ kind: 'gone' })
    expect(one.facts.map(({ type }) => type)).not.toContain('offline')
  })

  it('is lost when it is killed, and when its whole tmux session is', async () => {
    const one = await start('demo: hang')
    process.kill(await panePid(one), 'SIGKILL')
    expect((await one.fact('lost')).message).toContain('signal 9')
    await one.dispose()
    const two = await start('demo: say remember me\ndemo: hang')
    await until('the sentence', () =>
      two.facts.some((fact) => fact.type === 'progress' && fact.text === 'remember me'),
    )
    await tmux.killSession(two.task.tmuxSession)
    const lost = await two.fact('lost')
    expect(lost.message).toContain('tmux session')
    expect(lost.logTail).toContain('remember me')
  })

  it('goes on after a restart of agentd: tells the same keys, takes the answer once', async () => {
    const one = await start('demo: ask-permission git status\ndemo: write a.txt x\ndemo: commit')
    const asked = await one.fact('permission')
    const before = [...one.facts]
    const again = one.reopen()
    expect(await again.reattach()).toEqual({ kind: 'alive' })
    const delivery = { deliveryId: 77, attempt: 1, kind: 'respond', requestId: asked.requestId } as const
    const answer = { kind: 'approve' } as const
    const outcomes = []
    for (let attempt = 1; attempt <= 3; attempt += 1)
      outcomes.push(await again.deliver({ ...delivery, attempt, answer, ask: 'permission' }))
    expect(outcomes).toEqual([{ kind: 'delivered' }, { kind: 'already' }, { kind: 'already' }])
    await one.fact('turn_ended')
    const keys = one.facts.flatMap((fact) => ('key' in fact ? [fact.key] : []))
    expect(new Set(keys).size).toBe(keys.length)
    expect(one.facts.slice(0, before.length)).toEqual(before)
    const log = await readFile(join(one.dir, 'demo', 'deliveries.jsonl'), 'utf8')
    expect(log.match(/"deliveryId":77/g)).toHaveLength(1)
    expect(await again.reconcile()).toBe('Nothing was missing. It is connected.')
  })

  it('says on reattach that it is gone, with the facts that nobody heard', async () => {
    const one = await start('demo: sleep 300\ndemo: progress 5\ndemo: crash')
    const again = one.reopen()
    await until('the pane is dead', async () => (await tmux.panes(one.task.tmuxSession))?.[0]?.dead)
    expect(await again.reattach()).toMatchObject({
      kind: 'gone',
      message: 'The demo executor ended with exit code 3.',
      logTail: expect.stringContaining('crashes now') as string,
    })
    expect(one.facts.some((fact) => fact.type === 'progress' && fact.text === 'progress 5')).toBe(true)
  })

  it('finds the program that an earlier start brought up', async () => {
    const one = await start('demo: hang')
    const pid = await panePid(one)
    const again = one.reopen()
    expect(await again.start()).toEqual({ session: `demo-${one.task.taskId.slice(0, 8)}` })
    expect(await panePid(one)).toBe(pid)
  })

  it('starts anew when the first start died before it did anything', async () => {
    const adapter = createDemoAdapter({ tmux })
    harness = await createExecutorHarness({ adapter, place, repository, plan: 'demo: fast\ndemo: say hello' })
    const { tmuxSession } = harness.task
    await tmux.newSession({
      session: tmuxSession,
      window: 'agent',
      cwd: '/',
      argv: ['sh', '-c', 'exit 1'],
      title: 't',
    })
    await until('it is dead', async () => (await tmux.panes(tmuxSession))?.[0]?.dead)
    await harness.session().start()
    expect(await harness.prompt('go')).toEqual({ kind: 'delivered' })
    await harness.fact('turn_ended')
  })

  it('says why it cannot start', async () => {
    const adapter = createDemoAdapter({ tmux })
    harness = await createExecutorHarness({ adapter, place, repository, plan: 'demo: fast' })
    await repository.dispose()
    await expect(harness.session().start()).rejects.toMatchObject({
      code: 'executor_failed',
      details: { logTail: expect.stringContaining('cannot be entered') as string },
    })
  })

  it('reports offline and online when only the connection breaks, and misses nothing', async () => {
    const one = await start('demo: ask-permission git status\ndemo: progress 200')
    const asked = await one.fact('permission')
    one.session().dispose()
    const door = await createDoor(join(one.dir, 'demo', 'demo.sock'))
    const again = one.reopen()
    try {
      await again.reattach()
      await door.shut()
      await one.fact('offline')
      expect(await one.respond(asked.requestId, { kind: 'approve' })).toMatchObject({ kind: 'retry' })
      await door.open()
      await one.fact('online')
      expect(await one.respond(asked.requestId, { kind: 'approve' })).toEqual({ kind: 'delivered' })
      await one.fact('turn_ended')
      const keys = one.facts.flatMap((fact) => ('key' in fact ? [Number(fact.key)] : []))
      expect(keys).toEqual(keys.map((_key, index) => index + 1))
    } finally {
      again.dispose()
      await door.shut()
    }
  })

  it('leaves a daemon behind only until it is reaped', async () => {
    const one = await start('demo: setsid-child\ndemo: hang')
    const { taskId, tmuxSession } = one.task
    await until('program and child', () => survivors(taskId).length >= 2)
    const result = await reapTask({ taskId, session: tmuxSession, tmux, graceMs: 500 })
    expect(result.left).toEqual([])
    expect(survivors(taskId)).toEqual([])
    expect((await one.fact('lost')).message).toContain('tmux session')
  })

  it('works in a folder whose path is too long for a socket', async () => {
    const root = await createTempDir()
    try {
      const one = await start(
        'demo: write a.txt x\ndemo: commit',
        join(root.path, 'x'.repeat(60), 'y'.repeat(60)),
      )
      await one.fact('turn_ended')
      await one.session().stop()
    } finally {
      await root.dispose()
    }
  })

  it('ends on stop without being called lost', async () => {
    const one = await start('demo: hang')
    await one.session().stop()
    await until('the pane is dead', async () => (await tmux.panes(one.task.tmuxSession))?.[0]?.dead)
    expect(await one.prompt('more')).toMatchObject({ kind: 'gone' })
    expect(one.facts.map(({ type }) => type)).not.toContain('lost')
  })

  it('keeps secrets out of arguments, of tmux and of files that stay', async () => {
    const adapter = createDemoAdapter({ tmux })
    harness = await createExecutorHarness({ adapter, place, repository, plan: 'demo: fast\ndemo: hang' })
    Object.assign(harness.task.environment, { API_KEY: 'hunter2' })
    await harness.session().start()
    const pid = await panePid(harness)
    expect(await readFile(`/proc/${pid}/cmdline`, 'utf8')).not.toContain('hunter2')
    expect(await readFile(`/proc/${pid}/environ`, 'utf8')).toContain('API_KEY=hunter2')
    expect(await place.tmux('show-environment', '-g')).not.toContain('hunter2')
    expect(await place.tmux('show-environment', '-t', `=${harness.task.tmuxSession}:`)).not.toContain(
      'hunter2',
    )
    await expect(readFile(join(harness.dir, 'demo', 'pane.json'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('does not start over a program that was working when its pane died', async () => {
    const one = await start('demo: crash')
    await one.fact('lost')
    await expect(one.reopen().start()).rejects.toMatchObject({ code: 'executor_failed' })
  })
})

/** Stands between adapter and program, so that a connection can be broken while both live. */
async function createDoor(path: string) {
  const real = `${path}.real`
  await rename(path, real)
  let server: Server | undefined
  let sockets: Socket[] = []
  const door = {
    async open(): Promise<void> {
      server = createServer((client) => {
        const program = connect(real)
        sockets.push(client, program)
        client.pipe(program).pipe(client)
        for (const socket of [client, program]) socket.on('error', () => socket.destroy())
      })
      await new Promise<void>((ready) => server?.listen(path, ready))
    },
    async shut(): Promise<void> {
      for (const socket of sockets) socket.destroy()
      sockets = []
      if (server?.listening === true) await new Promise((closed) => server?.close(closed))
    },
  }
  await door.open()
  return door
}
