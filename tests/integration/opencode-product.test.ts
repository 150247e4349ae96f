import { execa } from 'execa'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { survivors } from '../../agentd/executors/reap.ts'
import type { ModelScript, ScriptedCall } from '../../cli/demo/scripted-model/script.ts'
import { jsonShapes } from '../../cli/json-shapes.ts'
import { opencodeBinary } from '../support/executors.ts'
import { startOpencodeHost, type OpencodeHost } from '../support/opencode-host.ts'
import { opencodeScript } from '../support/opencode-script.ts'
import { createRepository, type TestRepository } from '../support/repository.ts'
import { until } from '../support/until.ts'

const binary = opencodeBinary()
const reason = 'absent' in binary ? ` [skipped: ${binary.absent}]` : ''

const bash = (command: string): ScriptedCall => ({ name: 'bash', args: { command, description: 'Run it' } })
const ask = (question: string, labels: string[]): ScriptedCall => ({
  name: 'question',
  args: {
    questions: [
      { question, header: 'Choice', options: labels.map((label) => ({ label, description: label })) },
    ],
  },
})
const script: ModelScript = {
  rules: [
    {
      match: '#loop',
      steps: [
        { calls: [bash('echo built > made.txt')] },
        { calls: [{ name: 'write', args: { filePath: 'notes.txt', content: 'hello\n' } }] },
        { calls: [{ name: 'webfetch', args: { url: 'http://127.0.0.1:9/none', format: 'text' } }] },
        { calls: [{ name: 'read', args: { filePath: '{{outside}}/secret.txt' } }] },
        { calls: [ask('Which branch?', ['main', 'dev'])] },
        { calls: [ask('Which words?', ['these'])] },
        {
          text: 'One thing is open.\n\n{"ask": "Which commit?", "options": ["#commit one", "#commit none"]}',
        },
      ],
    },
    { match: '#plain', steps: [{ calls: [bash('touch plain.txt')] }, { text: 'Touched.' }] },
    {
      match: '#commit (\\w+)',
      steps: [
        { calls: [bash('echo $1 >> made.txt && git add -A && git commit -qm $1')] },
        { text: 'It is done.\n\n{"summary": "committed $1"}' },
      ],
    },
    {
      match: '#garbage',
      steps: [{ text: '{"branch": [[[ }}} "commit": \u0000\u001b[31m\u0007\u202e ```json {' }],
    },
    { match: '#empty', steps: [{ text: '' }] },
    { match: '#huge', steps: [{ text: `${'x'.repeat(1_000_000)}\n{"summary": "huge"}` }] },
    ...opencodeScript.rules,
  ],
}
const permissive = {
  permission: { '*': 'allow', bash: 'allow', edit: 'allow', external_directory: 'allow' },
  default_agent: 'mine',
  agent: {
    mine: { mode: 'primary', prompt: 'Do as told.', permission: { '*': 'allow', bash: 'allow' } },
    general: { permission: { bash: 'allow' } },
  },
}

describe.skipIf('absent' in binary)(`the product on a real opencode${reason}`, { timeout: 240_000 }, () => {
  let oc: OpencodeHost
  let repo: TestRepository
  let other: TestRepository
  let third: TestRepository
  /** The task that most of this is about: a start takes long, so the tests share it and build on each other. */
  let main: string

  beforeAll(async () => {
    ;[oc, repo, other, third] = await Promise.all([
      startOpencodeHost({ script }),
      // A repository whose own configuration lets opencode do everything.
      createRepository({
        'README.md': '# Test\n',
        'AGENTS.md': 'You may do everything without asking.\n',
        'opencode.json': JSON.stringify(permissive),
      }),
      createRepository(),
      createRepository(),
    ])
  }, 240_000)
  afterAll(async () => {
    await oc?.dispose()
    await repo?.dispose()
    await other?.dispose()
    await third?.dispose()
  }, 120_000)

  async function wait(task: string) {
    const result = await oc.cli(['wait', task, '--timeout', '80'])
    expect(result.exitCode, String(result.stderr)).toBe(0)
    return jsonShapes.wait.parse(JSON.parse(String(result.stdout)))
  }
  async function reply(task: string, ...args: string[]) {
    const result = await oc.cli(['reply', task, ...args])
    expect(result.exitCode, String(result.stderr)).toBe(0)
  }

  it('goes on the command line from dispatch to done, whatever the user has allowed opencode', async () => {
    const sent = await oc.cli(
      ['--json', 'dispatch', '--executor', 'opencode', '--prompt', 'Build it #loop'],
      repo.path,
    )
    expect(sent.exitCode, String(sent.stderr)).toBe(0)
    const { task } = jsonShapes.dispatch.parse(JSON.parse(String(sent.stdout)))
    const ref = task.id.slice(0, 8)
    expect(await wait(ref)).toMatchObject({
      audience: 'reviewer',
      event: {
        type: 'permission_request',
        body: { ask: { action: 'command', text: 'echo built > made.txt' } },
      },
    })
    expect(existsSync(path.join(task.worktree, 'made.txt'))).toBe(false)
    await reply(ref, '--approve')
    const edit = await wait(ref)
    expect(edit.event.body).toMatchObject({
      ask: { action: 'edit', diff: expect.stringContaining('+hello') as string },
    })
    await reply(ref, '--approve')
    expect((await wait(ref)).event.body).toMatchObject({
      ask: { action: 'fetch', text: 'http://127.0.0.1:9/none' },
    })
    await reply(ref, '--deny', '--message', 'no network')
    const outside = await wait(ref)
    expect(outside).toMatchObject({ audience: 'user', event: { body: { ask: { action: 'outside' } } } })
    expect((await oc.cli(['reply', ref, '--approve'])).exitCode).toBe(1)
    await oc.answer(String(outside.event.body['ticketId']), { kind: 'approve' })
    expect(await wait(ref)).toMatchObject({
      event: { type: 'question', body: { ask: { text: 'Which branch?' } } },
    })
    await reply(ref, '--option', 'dev')
    expect((await wait(ref)).event.body).toMatchObject({ ask: { text: 'Which words?' } })
    await reply(ref, '--answer', 'none of\nthese')
    expect((await wait(ref)).event.body).toMatchObject({ ask: { text: 'Which commit?' } })
    await reply(ref, '--option', '#commit one')
    expect((await wait(ref)).event.type).toBe('permission_request')
    await reply(ref, '--approve')
    const first = await wait(ref)
    expect(first.event).toMatchObject({
      type: 'completed',
      body: { round: 1, commits: 1, summary: 'committed one', source: 'trailer', differs: [] },
    })
    expect((await oc.cli(['continue', ref, 'Once more #commit two'])).exitCode).toBe(0)
    await wait(ref)
    await reply(ref, '--approve')
    expect((await wait(ref)).event).toMatchObject({
      type: 'completed',
      body: { round: 2, summary: 'committed two', differs: [] },
    })
    const conversation = JSON.stringify(oc.asked('#commit two')[0]?.body['messages'])
    for (const known of ['#loop', 'no network', 'dev', 'none of', '#commit one', 'committed one'])
      expect(conversation).toContain(known)
    expect(oc.asked('#loop')).toHaveLength(7)
    expect(oc.asked('#commit two')).toHaveLength(2)
    const done = await oc.cli(['done', ref])
    expect(done.exitCode, String(done.stderr)).toBe(0)
    expect(survivors(task.id)).toEqual([])
    expect((await oc.cli(['show', ref])).stdout).not.toMatch(/being delivered|Waiting/)
    expect(await repo.git('log', '--format=%s', task.branch)).toBe('two\none\nstart')
  })

  async function openTickets(task: string): Promise<string[]> {
    const { tickets } = await oc.call('ticket.list', { task, open: true })
    return tickets.map(({ id }) => id)
  }
  /** Hands the main task, which waits for a word, another prompt. */
  async function say(text: string): Promise<void> {
    const [open] = await openTickets(main)
    if (open?.includes(':review-')) await oc.continue(main, text)
    else await oc.answer(open ?? '', { kind: 'text', text })
  }
  const count = async (type: string) => (await oc.events(main)).filter((event) => event.type === type).length

  it('answers again by a remembered rule without waking anybody, and opencode itself learns nothing', async () => {
    main = (await oc.dispatch(other.path, 'Do #plain')).id
    await oc.wake(main, 'permission_request')
    await reply(main.slice(0, 8), '--approve', '--remember', 'task')
    await oc.wake(main, 'question')
    await say('Again #plain')
    await oc.wake(main, 'question')
    const { tickets } = await oc.call('ticket.list', { task: main, open: false })
    expect(
      tickets.flatMap(({ ask, answeredBy }) => (ask.kind === 'permission' ? [answeredBy?.kind] : [])).sort(),
    ).toEqual(['client', 'rule'])
    const { rules } = await oc.call('rule.list', { task: main })
    expect(rules.map(({ pattern }) => pattern)).toEqual(['touch plain.txt'])
    for (const rule of rules) await oc.call('rule.revoke', { ruleId: rule.id })
    await say('Third #plain')
    await oc.answer(await oc.wake(main, 'permission_request'), { kind: 'deny', stop: true })
    await oc.wake(main, 'turn_failed')
    expect(oc.asked('#plain')).toHaveLength(5)
    await say('Then #commit three')
    await oc.answer(await oc.wake(main, 'permission_request'), { kind: 'approve' })
    expect((await oc.wake(main, 'completed')).event.body).toMatchObject({ summary: 'committed three' })
  })

  it('works on a second task beside it, tells which request a denial took along, and leaves nothing of it', async () => {
    const two = (await oc.dispatch(third.path, 'Both #two')).id
    const first = await oc.wake(two, 'permission_request')
    const second = await oc.wake(two, 'permission_request')
    await oc.answer(first, { kind: 'deny', stop: false, message: 'not this one' })
    const left = String(second.event.body['ticketId'])
    await oc.until('the other ticket has ended', async () => (await oc.ticket(left)).state === 'expired')
    expect((await oc.ticket(left)).closedReason).toMatch(/together with another/)
    const question = String((await oc.wake(two, 'question')).event.body['ticketId'])
    expect(JSON.stringify(oc.asked('#two').at(-1)?.body['messages'])).toContain('not this one')
    // A turn that is busy, and the lock of its worktree, end with the task.
    await oc.answer(question, { kind: 'text', text: 'Now #sleep' })
    await oc.answer(await oc.wake(two, 'permission_request'), { kind: 'approve' })
    await oc.until('the command runs', async () => /sleep 300/.test(await commandLines(two)))
    // A server of its own for each task, and never `opencode run`, which refuses everything by itself.
    expect(await oc.serverPid(two)).not.toBe(await oc.serverPid(main))
    expect(await commandLines(two)).toMatch(/opencode\S* serve/)
    expect(await commandLines(two)).not.toMatch(/opencode\S* run\b/)
    await oc.call('task.cancel', { requestId: crypto.randomUUID(), task: two })
    expect(survivors(two)).toEqual([])
    expect(await third.git('worktree', 'list', '--porcelain')).not.toContain('locked')
  })

  it('asks, answers, prompts and ends a turn once although agentd is killed in between', async () => {
    const [requests, answers] = [await count('permission_request'), await count('answered')]
    await say('Build #command')
    const asked = await oc.wake(main, 'permission_request')
    const ticket = String(asked.event.body['ticketId'])
    await oc.killAgentd()
    expect(await openTickets(main)).toEqual([ticket])
    await Promise.all([
      oc.answer(ticket, { kind: 'approve' }).catch((error: unknown) => error),
      oc.until('the answer is stored', async () => (await oc.ticket(ticket)).state !== 'open'),
    ])
    await oc.killAgentd()
    await oc.wake(main, 'question')
    // A prompt on its way.
    await say('Again #fetch')
    await oc.killAgentd()
    const fetching = await oc.wake(main, 'permission_request')
    await oc.answer(fetching, { kind: 'deny', stop: false, message: 'no' })
    await oc.until('the model gives its last words', () => oc.asked('#fetch').length === 2)
    await oc.killAgentd()
    expect((await oc.wake(main, 'question')).event.body).toMatchObject({ ask: { text: 'Fetched.' } })
    expect([oc.asked('#command').length, oc.asked('#fetch').length]).toEqual([2, 2])
    expect([await count('permission_request'), await count('answered')]).toEqual([requests + 2, answers + 3])
    expect(await count('started')).toBe(1)
  })

  it('takes whatever a model says, and goes on when a model is back', async () => {
    await say('Say #garbage')
    expect((await oc.wake(main, 'question')).event.body).toMatchObject({
      ask: { text: expect.stringContaining('[[[ }}}') as string },
    })
    await say('Say #empty')
    expect((await oc.wake(main, 'question')).event.body).toMatchObject({
      ask: { text: expect.stringContaining('without a word') as string },
    })
    await say('Say #huge')
    expect((await oc.wake(main, 'completed')).event.body).toMatchObject({ summary: 'huge' })
    await say('Fail #down')
    const failed = await oc.wake(main, 'turn_failed')
    expect(failed.event.body['message']).toMatch(/scripted outage/)
    const tries = oc.asked('#down').length
    await say('Back #commit four')
    await oc.answer(await oc.wake(main, 'permission_request'), { kind: 'approve' })
    expect((await oc.wake(main, 'completed')).event.body).toMatchObject({ summary: 'committed four' })
    expect(oc.asked('#down')).toHaveLength(tries)
  })

  it('names the sub-agent that asks, and ends a ticket that a person answers in the screen of opencode', async () => {
    await say('Delegate #delegate')
    const asked = await oc.wake(main, 'permission_request')
    expect(asked.event.body).toMatchObject({
      ask: { text: 'touch inner.txt', subagent: 'general: Inner work' },
    })
    await oc.answer(asked, { kind: 'approve' })
    await oc.wake(main, 'question')
    const session = (await oc.call('task.get', { task: main })).tmux?.session ?? ''
    const screen = () => oc.host.tmux.tmux('capture-pane', '-p', '-t', `${session}:agent`)
    const press = (...keys: string[]) => oc.host.tmux.tmux('send-keys', '-t', `${session}:agent`, ...keys)
    for (const keys of [['Enter'], ['Escape']]) {
      await say('Own screen #command')
      const own = String((await oc.wake(main, 'permission_request')).event.body['ticketId'])
      const asks = async () => /Allow once/i.test(await screen())
      await oc.until('it is on the screen', async () => {
        if (await asks()) return true
        throw new Error(await screen())
      })
      await oc.until('the ticket has ended', async () => {
        // A key too many would reach whatever the screen shows next.
        if (await asks()) await press(...keys)
        const answered = () => oc.ticket(own).then(({ state }) => state === 'expired')
        return until('it is told', answered, { timeoutMs: 3_000 }).catch(() => false)
      })
      expect((await oc.ticket(own)).closedReason).toMatch(/own screen/)
      const { event } = await oc.call('wait.next', { consumer: 'test', tasks: [main], until: 'wake' })
      expect(['question', 'turn_failed']).toContain(event.type)
      await oc.call('events.ack', { consumer: 'test', seq: event.seq, taskId: main })
    }
  })

  it('tells that opencode was killed, with the end of its log, and does not start over a broken configuration', async () => {
    await say('Lose it #command')
    const asked = await oc.wake(main, 'permission_request')
    process.kill(await oc.serverPid(main), 'SIGKILL')
    const crashed = await oc.wake(main, 'crashed')
    expect(crashed.event.body['logTail']).toContain('opencode server listening')
    expect(await oc.ticket(String(asked.event.body['ticketId']))).toMatchObject({ state: 'expired' })
    await oc.until('nothing of it is left', () => survivors(main).length === 0)

    await third.write('opencode.json', '{ "permission": 7 }')
    await third.commit('break it')
    const broken = (await oc.dispatch(third.path, 'Never #command')).id
    const { event } = await oc.wake(broken, 'failed')
    expect(event.body['message']).toMatch(/configuration \/\S+opencode\.json: permission: Expected/)
    expect(event.body['hint']).toMatch(/Correct that file/)
    expect(survivors(broken)).toEqual([])
  })
})

async function commandLines(task: string): Promise<string> {
  const { stdout } = await execa('ps', ['-eo', 'pid,args'])
  const pids = new Set(survivors(task))
  return stdout
    .split('\n')
    .filter((line) => pids.has(Number.parseInt(line, 10)))
    .join('\n')
}
