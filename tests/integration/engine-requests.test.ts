import { existsSync } from 'node:fs'
import { rm, symlink } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { survivors } from '../../agentd/executors/reap.ts'
import type { HostConnection } from '../../shared/node/host-client/connection.ts'
import { argvOf } from '../support/argv.ts'
import { dispatchDemo, nextWake, requestId, startHost, type TestHost } from '../support/agentd.ts'
import { createRepository } from '../support/repository.ts'
import { requires } from '../support/requirements.ts'
import { until } from '../support/until.ts'

const needs = requires('tmux', 'git')

describe.skipIf(needs.skip)(needs.title('requests that come twice, cross or abuse'), () => {
  let host: TestHost
  let repo: Awaited<ReturnType<typeof createRepository>>
  let connection: HostConnection

  beforeAll(async () => {
    host = await startHost()
    repo = await createRepository()
    connection = await host.connect()
  })
  afterAll(async () => {
    connection.close()
    await host.dispose()
    await repo.dispose()
  })

  const inReview = async (): Promise<string> => {
    const task = await dispatchDemo(connection, repo.path, 'demo: write a.txt a\ndemo: commit')
    expect((await nextWake(connection, task.id)).event.type).toBe('completed')
    return task.id
  }

  const bothTickets = (task: string) =>
    until('both are asked', async () => {
      const { tickets } = await connection.call('ticket.list', { task })
      return tickets.length === 2 ? tickets : undefined
    })

  it('finishes a task once when "done" is sent twice, and gives both the same answer', async () => {
    const task = await inReview()
    const input = { requestId: requestId(), task, push: false, keepWorktree: false }
    const answers = await Promise.all([
      connection.call('task.done', input),
      connection.call('task.done', input),
    ])
    expect(answers[0]).toMatchObject({ worktree: 'removed', task: { state: 'completed' } })
    expect(answers[1]).toEqual(answers[0])
    expect(await connection.call('task.done', input)).toEqual(answers[0])
    const { events } = await connection.call('task.events', { task, afterSeq: 0 })
    expect(events.filter(({ type }) => type === 'done')).toHaveLength(1)
  })

  it('lets one of "continue" and "done" win when they come at once', async () => {
    const task = await inReview()
    const outcomes = await Promise.allSettled([
      connection.call('task.continue', { requestId: requestId(), task, text: 'demo: fast\ndemo: hang' }),
      connection.call('task.continue', { requestId: requestId(), task, text: 'demo: fast\ndemo: hang' }),
      connection.call('task.done', { requestId: requestId(), task, push: false, keepWorktree: false }),
    ])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const { events } = await connection.call('task.events', { task, afterSeq: 0 })
    expect(events.filter(({ type }) => type === 'continued' || type === 'done')).toHaveLength(1)
  })

  it('does not give the answer of one ticket to another that reuses its request id', async () => {
    const task = await dispatchDemo(connection, repo.path, 'demo: ask-permission-two ls | pwd')
    const tickets = await bothTickets(task.id)
    const [one, two] = tickets.map(({ id }) => id)
    const answer = { kind: 'approve' as const }
    const same = requestId()
    await connection.call('ticket.answer', { requestId: same, ticket: one ?? '', answer })
    await expect(
      connection.call('ticket.answer', { requestId: same, ticket: two ?? '', answer }),
    ).rejects.toMatchObject({ code: 'bad_request' })
    await expect(
      connection.call('task.note', { requestId: same, task: task.id, text: 'hello' }),
    ).rejects.toMatchObject({ code: 'bad_request' })
    expect((await connection.call('ticket.get', { ticket: two ?? '' })).ticket.state).toBe('open')
  })

  it('takes the proof of a person for its own ticket only, once, and answers a repetition the same', async () => {
    const plan = 'demo: ask-permission-two git push --force origin main | sudo reboot'
    const task = await dispatchDemo(connection, repo.path, plan)
    const tickets = await bothTickets(task.id)
    const [one = '', two = ''] = tickets.map(({ id }) => id)
    const present = async (ticket: string) => {
      const { nonce, sha256 } = await connection.call('ticket.present', { ticket })
      return { nonce, sha256 }
    }
    const answer = { kind: 'deny' as const, stop: false }
    const give = (ticket: string, typed: { nonce: string; sha256: string }, id = requestId()) =>
      connection.call('ticket.answer', { requestId: id, ticket, answer, typed })
    await expect(give(two, await present(one))).rejects.toMatchObject({ code: 'person_required' })
    const shown = await present(one)
    await expect(give(one, { ...shown, sha256: '0'.repeat(64) })).rejects.toMatchObject({
      code: 'person_required',
    })
    await expect(give(one, shown), 'it was used up').rejects.toMatchObject({ code: 'person_required' })
    const good = await present(one)
    const id = requestId()
    const first = await give(one, good, id)
    expect(first).toMatchObject({ kind: 'applied', ticket: { answeredBy: { via: 'terminal' } } })
    // The link was cut before the answer came, and the client asks again.
    expect(await give(one, good, id)).toEqual(first)
    await expect(give(two, good)).rejects.toMatchObject({ code: 'person_required' })
    const remember = { scope: 'repo' as const, pattern: 'sudo *' }
    await expect(
      connection.call('ticket.answer', {
        requestId: requestId(),
        ticket: two,
        answer: { kind: 'approve', remember },
        typed: await present(two),
      }),
    ).rejects.toMatchObject({ code: 'rule_refused' })
    expect((await connection.call('ticket.get', { ticket: two })).ticket.state).toBe('open')
  })

  it('lives on when the client of a chatty command goes away, and ends the command', async () => {
    const task = await dispatchDemo(connection, repo.path, 'demo: hang')
    await until(
      'the worktree is there',
      async () => (await connection.call('task.get', { task: task.id })).task.state === 'running',
    )
    const marker = `30.${process.pid}`
    for (let n = 0; n < 3; n++) {
      const other = await host.connect({ clientId: `leaver-${n}` })
      let heard = false
      const call = other
        .call(
          'task.run',
          { task: task.id, argv: ['sh', '-c', `yes & sleep ${marker}`], timeoutMs: 60_000 },
          { onChunk: () => void (heard = true) },
        )
        .catch((error: unknown) => error)
      await until('it talks', () => heard)
      other.close()
      await call
    }
    await until('the commands are gone', async () => !(await argvOf()).some((argv) => argv.includes(marker)))
    const run = (argv: string[]) => connection.call('task.run', { task: task.id, argv, timeoutMs: 5_000 })
    await expect(run(['no-such-program'])).rejects.toMatchObject({ code: 'bad_request' })
    await expect(run(['echo', 'a\0b'])).rejects.toMatchObject({ code: 'bad_request' })
    await expect(run(['/'])).rejects.toMatchObject({ code: 'bad_request' })
    expect((await run(['true'])).exitCode).toBe(0)
    expect((await connection.call('host.info', {})).pid).toBe(host.pid())
    await rm(task.worktree, { recursive: true })
    await expect(run(['true'])).rejects.toMatchObject({ code: 'file_not_found' })
  })

  it('reads no file through a link that leaves the worktree, and no round that does not exist', async () => {
    const task = await inReview()
    const { worktree } = (await connection.call('task.get', { task })).task
    await symlink('/etc', path.join(worktree, 'etc'))
    await symlink('/etc/passwd', path.join(worktree, 'passwd'))
    for (const file of ['etc/passwd', 'passwd', '../../handoff.db', '/etc/passwd', '.git/../../x'])
      await expect(connection.call('task.fetch', { task, path: file }), file).rejects.toMatchObject({
        code: expect.stringMatching(/path_outside|file_not_found/) as string,
      })
    for (const rounds of [{ round: 7 }, { round: 1, against: 9 }, { against: 3 }])
      await expect(connection.call('task.diff', { task, mode: 'full', ...rounds })).rejects.toMatchObject({
        code: 'bad_request',
      })
  })

  it('makes no token of the person for a reviewer, also not with the proof for another one', async () => {
    const create = (name: string, typed?: { nonce: string; sha256: string }) =>
      connection.call('token.create', { role: 'user', name, ...(typed ? { typed } : {}) })
    await expect(create('sneaky')).rejects.toMatchObject({ code: 'person_required' })
    const shown = await connection.call('token.present', { role: 'observer', name: 'sneaky' })
    const typed = { nonce: shown.nonce, sha256: shown.sha256 }
    await expect(create('sneaky', typed)).rejects.toMatchObject({ code: 'person_required' })
    expect((await connection.call('token.list', {})).tokens).toEqual([])
  })

  it('has a task over at once when it is cancelled while it is starting, with nothing left of it', async () => {
    const inTask = (id: string, name: string) => path.join(host.home, 'tasks', id.slice(0, 8), 'demo', name)
    const moments = [
      () => true,
      (task: { worktree: string }) => existsSync(task.worktree),
      (task: { id: string }) => existsSync(inTask(task.id, 'config.json')),
      (task: { id: string }) => existsSync(inTask(task.id, 'demo.sock')),
    ]
    const tasks = await Promise.all(
      moments.map(async (moment) => {
        const task = await dispatchDemo(connection, repo.path, 'demo: hang')
        await until('the moment has come', () => moment(task), { intervalMs: 1, timeoutMs: 60_000 })
        const { task: over } = await connection.call('task.cancel', { requestId: requestId(), task: task.id })
        expect(over.state).toBe('cancelled')
        return task.id
      }),
    )
    for (const task of tasks) {
      expect(survivors(task)).toEqual([])
      const { events } = await connection.call('task.events', { task, afterSeq: 0 })
      const types = events.map(({ type }) => type)
      // The plan may have been on its way: that it arrived is still told, nothing else is.
      expect(types.slice(types.indexOf('cancelled')).filter((type) => type !== 'delivered')).toEqual([
        'cancelled',
      ])
    }
  })
})
