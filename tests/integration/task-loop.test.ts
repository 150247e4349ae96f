import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { survivors } from '../../agentd/executors/reap.ts'
import type { HostConnection } from '../../shared/node/host-client/connection.ts'
import { dispatchDemo, nextWake, requestId, startHost, ticketOf, type TestHost } from '../support/agentd.ts'
import { createRepository } from '../support/repository.ts'
import { requires } from '../support/requirements.ts'
import { until } from '../support/until.ts'

const needs = requires('tmux', 'git')

describe.skipIf(needs.skip)(needs.title('the loop with the demo executor'), () => {
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

  const answer = (ticket: string, reply: Parameters<typeof connection.call<'ticket.answer'>>[1]['answer']) =>
    connection.call('ticket.answer', { requestId: requestId(), ticket, answer: reply })

  it('takes a plan from dispatch over approval and review to done, and leaves the commits on the branch', async () => {
    const task = await dispatchDemo(
      connection,
      repo.path,
      'demo: write one.txt one\ndemo: ask-permission ls\ndemo: commit',
    )
    const asked = await nextWake(connection, task.id)
    expect(asked.event.type).toBe('permission_request')
    expect(asked.audience).toBe('reviewer')
    expect((await answer(ticketOf(asked), { kind: 'approve' })).kind).toBe('applied')
    const completed = await nextWake(connection, task.id)
    expect(completed.event.type).toBe('completed')
    expect(completed.event.body).toMatchObject({ round: 1, branch: task.branch, differs: [] })
    await connection.call('task.continue', {
      requestId: requestId(),
      task: task.id,
      text: 'demo: fast\ndemo: write more.txt two\ndemo: commit',
    })
    const second = await nextWake(connection, task.id)
    expect(second.event.body).toMatchObject({ round: 2, changes: { files: 2, added: 2, removed: 0 } })
    const done = await connection.call('task.done', {
      requestId: requestId(),
      task: task.id,
      push: false,
      keepWorktree: false,
    })
    expect(done).toMatchObject({ worktree: 'removed', task: { state: 'completed' } })
    expect(await repo.git('show', `${task.branch}:more.txt`)).toBe('two')
    expect(await repo.git('status', '--porcelain')).toBe('')
    expect(survivors(task.id)).toEqual([])
  })

  it('lets only the first answer count, and tells the second who was first', async () => {
    const task = await dispatchDemo(connection, repo.path, 'demo: ask-permission ls')
    const asked = await nextWake(connection, task.id)
    const outcomes = await Promise.all([
      answer(ticketOf(asked), { kind: 'approve' }),
      answer(ticketOf(asked), { kind: 'deny', stop: false }),
    ])
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['already_answered', 'applied'])
    const second = outcomes.find(({ kind }) => kind === 'already_answered')
    expect(second?.ticket).toMatchObject({ answer: { kind: 'approve' }, answeredBy: { clientId: 'test' } })
  })

  it('keeps a dangerous request from a reviewer, and lets the person who was shown it decide', async () => {
    const task = await dispatchDemo(
      connection,
      repo.path,
      'demo: ask-permission git push --force origin main',
    )
    const asked = await nextWake(connection, task.id)
    expect(asked.audience).toBe('user')
    await expect(answer(ticketOf(asked), { kind: 'approve' })).rejects.toMatchObject({ code: 'user_only' })
    const shown = await connection.call('ticket.present', { ticket: ticketOf(asked) })
    expect(shown.text).toBe('git push --force origin main')
    const typed = { nonce: shown.nonce, sha256: shown.sha256 }
    const denied = {
      requestId: requestId(),
      ticket: ticketOf(asked),
      answer: { kind: 'deny' as const, stop: true },
      typed,
    }
    expect((await connection.call('ticket.answer', denied)).kind).toBe('applied')
    // The nonce is used up: it cannot vouch for another answer.
    await expect(
      connection.call('ticket.answer', { ...denied, requestId: requestId() }),
    ).rejects.toMatchObject({ code: 'person_required' })
    const end = await nextWake(connection, task.id)
    expect(end.event.type).toBe('turn_failed')
    const { entries } = await connection.call('audit.list', { task: task.id })
    expect(entries.find((entry) => entry.decision === 'deny and stop')).toMatchObject({
      text: 'git push --force origin main',
      by: { role: 'user', via: 'terminal' },
    })
  })

  it('answers by a saved rule without waking anybody, and stops when the rule is revoked', async () => {
    const task = await dispatchDemo(
      connection,
      repo.path,
      'demo: ask-permission git status\ndemo: ask-permission git status --short\ndemo: ask-permission git log',
    )
    const first = await nextWake(connection, task.id)
    const { pattern } = await connection.call('rule.preview', { ticket: ticketOf(first) })
    expect(pattern).toBe('git status *')
    await answer(ticketOf(first), { kind: 'approve', remember: { scope: 'task', pattern: pattern ?? '' } })
    const next = await nextWake(connection, task.id)
    expect(next.event.body).toMatchObject({ ask: { text: 'git log' } })
    const { rules } = await connection.call('rule.list', { task: task.id })
    expect(rules).toMatchObject([{ pattern: 'git status *', hits: 1 }])
    const { entries } = await connection.call('audit.list', { task: task.id })
    expect(entries.filter((entry) => entry.by.kind === 'rule')).toMatchObject([
      { text: 'git status --short', ruleId: rules[0]?.id },
    ])
    await connection.call('rule.revoke', { ruleId: rules[0]?.id ?? '' })
    expect((await connection.call('rule.list', { task: task.id })).rules).toEqual([])
  })

  it('refuses a rule that would cover more or other than was asked', async () => {
    const task = await dispatchDemo(connection, repo.path, 'demo: ask-permission git status')
    const asked = await nextWake(connection, task.id)
    for (const pattern of ['rm *', 'git log *', 'git status; rm -rf *'])
      await expect(
        answer(ticketOf(asked), { kind: 'approve', remember: { scope: 'repo', pattern } }),
      ).rejects.toMatchObject({ code: 'rule_refused' })
    const { ticket } = await connection.call('ticket.get', { ticket: ticketOf(asked) })
    expect(ticket.state).toBe('open')
  })

  it('carries out a request once when it is sent twice', async () => {
    const input = {
      requestId: requestId(),
      title: 'Twice',
      plan: 'demo: fast\ndemo: hang',
      executor: 'demo',
      repo: { kind: 'path' as const, path: repo.path },
    }
    const first = await connection.call('task.dispatch', input)
    const second = await connection.call('task.dispatch', input)
    expect(second.task.id).toBe(first.task.id)
  })

  it('ends everything a cancelled task started, also a daemon that left its session', async () => {
    const task = await dispatchDemo(connection, repo.path, 'demo: setsid-child\ndemo: hang')
    await until('the daemon runs', () => survivors(task.id).length >= 2)
    await connection.call('task.cancel', { requestId: requestId(), task: task.id, note: 'enough' })
    expect(survivors(task.id)).toEqual([])
    const sessions = await host.tmux.tmux('ls', '-F', '#{session_name}').catch(() => '')
    expect(sessions).not.toContain(task.id.slice(0, 8))
    const { task: after } = await connection.call('task.get', { task: task.id })
    expect(after).toMatchObject({ state: 'cancelled', endReason: 'enough' })
  })

  it('tells of a crashed executor with the end of its log', async () => {
    const task = await dispatchDemo(connection, repo.path, 'demo: crash')
    const crashed = await nextWake(connection, task.id)
    expect(crashed.event.type).toBe('crashed')
    expect(String(crashed.event.body['logTail'])).not.toBe('')
    expect(crashed.task.state).toBe('failed')
  })

  it('reads and runs only inside the worktree', async () => {
    const task = await dispatchDemo(connection, repo.path, 'demo: write notes.txt hello\ndemo: ask wait?')
    await nextWake(connection, task.id)
    const read: string[] = []
    const onChunk = (data: Uint8Array) => void read.push(Buffer.from(data).toString())
    await connection.call('task.fetch', { task: task.id, path: 'notes.txt' }, { onChunk })
    expect(read.join('').trim()).toBe('hello')
    for (const bad of ['../../handoff.db', '/etc/passwd', '.git'])
      await expect(connection.call('task.fetch', { task: task.id, path: bad })).rejects.toMatchObject({
        code: 'path_outside',
      })
    const out: string[] = []
    const result = await connection.call(
      'task.run',
      { task: task.id, argv: ['sh', '-c', 'pwd; echo $HANDOFF_TASK; exit 7'], timeoutMs: 20_000 },
      { onChunk: (data) => void out.push(Buffer.from(data).toString()) },
    )
    expect(result.exitCode).toBe(7)
    expect(out.join('')).toBe(`${task.worktree}\n${task.id}\n`)
    expect((await connection.call('task.get', { task: task.id })).task.lastRun).toMatchObject({
      command: 'pwd; echo $HANDOFF_TASK; exit 7',
      ok: false,
    })
    const slow = await connection.call('task.run', { task: task.id, argv: ['sleep', '60'], timeoutMs: 1_000 })
    expect(slow.timedOut).toBe(true)
  })

  it('refuses to work in place in a dirty tree, and never touches the change', async () => {
    await writeFile(path.join(repo.path, 'mine.txt'), 'precious')
    await expect(dispatchDemo(connection, repo.path, 'demo: hang', { inPlace: true })).rejects.toMatchObject({
      code: 'git.dirty',
    })
    expect(await readFile(path.join(repo.path, 'mine.txt'), 'utf8')).toBe('precious')
    const task = await dispatchDemo(connection, repo.path, 'demo: write b.txt b\ndemo: ask done?', {
      inPlace: true,
      allowDirty: true,
    })
    await nextWake(connection, task.id)
    expect(task.worktree).toBe(repo.path)
    expect(await readFile(path.join(repo.path, 'mine.txt'), 'utf8')).toBe('precious')
    expect(await repo.git('branch', '--show-current')).toBe(task.branch)
  })
})
