import { shortId } from '../../shared/domain/task.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createDemoAdapter } from '../../agentd/executors/demo/adapter.ts'
import { run } from '../../agentd/executors/demo/commands.ts'
import { createTmux } from '../../agentd/executors/tmux.ts'
import { continuePrompt } from '../../agentd/tasks/prompts.ts'
import { deskDemoPlan } from '../../shared/node/demo/plan.ts'
import { createExecutorHarness, type ExecutorHarness } from '../support/executor-harness.ts'
import { createRepository, type TestRepository } from '../support/repository.ts'
import { requires } from '../support/requirements.ts'
import { createTmuxPlace, type TmuxPlace } from '../support/tmux.ts'
import { until } from '../support/until.ts'

const needs = requires('git', 'tmux')

describe.skipIf(needs.skip)(needs.title('the demo executor'), () => {
  let place: TmuxPlace
  let repository: TestRepository
  let harness: ExecutorHarness | undefined

  beforeAll(async () => {
    place = await createTmuxPlace()
  })
  afterAll(() => place.dispose())
  beforeEach(async () => {
    repository = await createRepository()
  })
  afterEach(async () => {
    await harness?.dispose()
    await repository.dispose()
  })

  async function start(plan: string): Promise<ExecutorHarness> {
    const adapter = createDemoAdapter({ tmux: createTmux({ environment: place.environment }) })
    harness = await createExecutorHarness({ adapter, place, repository, plan })
    await harness.session().start()
    await harness.prompt('Carry out the plan.')
    return harness
  }

  function trailerOf(text: string): Record<string, string> {
    return JSON.parse(text.split('\n').at(-1) ?? '') as Record<string, string>
  }

  it('tells the exit code of a command that failed', async () => {
    const one = await start('# Look\n\ndemo: fast\ndemo: run ls not-there\ndemo: run ls\ndemo: no-trailer\n')
    await one.fact('turn_ended')
    const told = one.facts.flatMap((fact) => (fact.type === 'progress' && fact.failed ? [fact] : []))
    expect(told).toMatchObject([{ kind: 'tool', text: 'ls not-there' }])
    expect(told[0]?.failed?.exitCode).toBeGreaterThan(0)
  })

  it('carries out a plan of prose: asks, is answered, tests, tidies up and commits', async () => {
    const one = await start('# Greeting\n\n- say hello\n- say 你好\n\ndemo: fast\n')
    const question = await one.fact('question')
    expect(question.ask).toMatchObject({
      topic: 'technical',
      options: [{ label: 'short' }, { label: 'table' }],
    })
    expect(await one.respond(question.requestId, { kind: 'options', labels: ['table'] })).toEqual({
      kind: 'delivered',
    })
    const routine = await one.fact('permission')
    expect(routine.ask.text).toBe('node --test handoff-demo/steps.test.mjs')
    await one.respond(routine.requestId, { kind: 'approve' })
    const dangerous = await one.fact('permission', 2)
    expect(dangerous.ask.text).toBe(`rm -rf ${one.dir}/demo/scratch`)
    await one.respond(dangerous.requestId, { kind: 'deny', message: 'leave it there', stop: false })
    const ended = await one.fact('turn_ended')
    const trailer = trailerOf(ended.text)
    expect(trailer).toMatchObject({ branch: 'main', commit: await repository.git('rev-parse', 'HEAD') })
    expect(trailer['commit']).not.toBe(repository.head)
    expect(await repository.git('status', '--porcelain')).toBe('')
    const report = await repository.git('show', 'HEAD:HANDOFF_DEMO.md')
    expect(report).toContain('- [x] say 你好')
    expect(report).toContain('| handoff-demo/steps.mjs |')
    expect(report).toContain('leave it there')
  })

  it('answers a further prompt with a further commit', async () => {
    const one = await start('demo: fast\ndemo: write a.txt hello\ndemo: commit')
    const first = trailerOf((await one.fact('turn_ended')).text)
    await one.prompt(
      continuePrompt({ branch: 'main' }, 'There is one comment:\n\n`a.txt`, line 1:\n> hello\n\nAdd a title'),
    )
    const second = trailerOf((await one.fact('turn_ended', 2)).text)
    expect(second['commit']).not.toBe(first['commit'])
    expect(await repository.git('show', 'HEAD:HANDOFF_DEMO.md')).toContain(
      'Another round\n\n- [x] There is one comment:\n- [x] `a.txt`, line 1:\n  > hello\n- [x] Add a title',
    )
    expect(await repository.git('log', '-1', '--format=%s')).toBe('Demo: Add a title')
  })

  it('goes on with what the person answered', async () => {
    const one = await start(deskDemoPlan({ outside: '/tmp/none', pace: 'fast' }))
    await one.respond((await one.fact('permission')).requestId, { kind: 'approve' })
    const { requestId } = await one.fact('question')
    await one.respond(requestId, { kind: 'text', text: "Who's there?" })
    await one.respond((await one.fact('permission', 2)).requestId, { kind: 'approve' })
    await one.fact('turn_ended')
    expect(await repository.git('show', 'HEAD:greet.mjs')).toContain(String.raw`'Who\'s there?'`)
    const tested = await run({
      program: process.execPath,
      args: ['--test', 'greet.test.mjs'],
      worktree: repository.path,
    })
    expect(tested, tested.output).toMatchObject({ exitCode: 0 })
  })

  it('asks for two things at once and takes the answers in any order', async () => {
    const one = await start('demo: fast\ndemo: ask-permission-two echo first | echo second\ndemo: no-trailer')
    const first = await one.fact('permission', 1)
    const second = await one.fact('permission', 2)
    await one.respond(second.requestId, { kind: 'deny', stop: false, message: 'not that' })
    await one.respond(first.requestId, { kind: 'approve' })
    expect((await one.fact('turn_ended')).text).toBe('I have done what the plan asks for.')
    const texts = one.facts.flatMap((fact) => (fact.type === 'progress' ? [fact.text] : []))
    expect(texts).toContain('echo first')
    expect(texts).not.toContain('echo second')
    expect(texts.join('\n')).toContain('not that')
  })

  it('stops the turn and drops its other request when a denial says so', async () => {
    const one = await start('demo: fast\ndemo: ask-permission-two echo first | echo second')
    const first = await one.fact('permission', 1)
    const second = await one.fact('permission', 2)
    await one.respond(first.requestId, { kind: 'deny', stop: true, message: 'enough' })
    expect((await one.fact('turn_failed')).message).toBe('Stopped: "echo first" was denied. "enough"')
    expect(await one.fact('request_gone')).toMatchObject({ requestId: second.requestId })
    expect(await one.respond(second.requestId, { kind: 'approve' })).toMatchObject({ kind: 'gone' })
    await one.prompt('demo: write b.txt x\ndemo: commit')
    await one.fact('turn_ended')
  })

  it('ends a turn on abort and keeps the conversation', async () => {
    const one = await start('demo: fast\ndemo: ask-permission echo first')
    const asked = await one.fact('permission')
    await one.session().abort()
    expect(await one.fact('request_gone')).toMatchObject({ requestId: asked.requestId })
    await one.fact('turn_failed')
    await one.prompt('demo: hang')
    await one.session().abort()
    await one.fact('turn_failed', 2)
    await one.prompt('demo: say I am still here')
    await one.fact('turn_ended')
  })

  it('asks in the last line of a turn and goes on with the rest of the plan when that is answered', async () => {
    const one = await start('demo: fast\ndemo: ask Which colour?\ndemo: write colour.txt blue\ndemo: commit')
    expect(trailerOf((await one.fact('turn_ended')).text)).toEqual({ ask: 'Which colour?' })
    await one.prompt('You asked: Which colour?\n\nThe answer: blue')
    await one.fact('turn_ended', 2)
    expect(await repository.git('show', 'HEAD:colour.txt')).toBe('blue')
  })

  it('asks product questions, takes words for an answer, and fails a turn on request', async () => {
    const one = await start(
      'demo: fast\ndemo: question Which name? [Ann|Bob] product\ndemo: question Why?\ndemo: fail-turn no quota',
    )
    const choice = await one.fact('question')
    expect(choice.ask).toEqual({
      ...{ text: 'Which name?', topic: 'product', multiple: false },
      options: [{ label: 'Ann' }, { label: 'Bob' }],
    })
    await one.respond(choice.requestId, { kind: 'text', text: 'Carol' })
    const open = await one.fact('question', 2)
    expect(open.ask).toMatchObject({ topic: 'technical', options: [] })
    await one.respond(open.requestId, { kind: 'text', text: 'because' })
    expect((await one.fact('turn_failed')).message).toBe('no quota')
  })

  it('does no harm when a dangerous command is approved', async () => {
    const one = await start(
      'demo: fast\ndemo: ask-permission rm -rf README.md\ndemo: ask-permission git push --force',
    )
    await one.respond((await one.fact('permission')).requestId, { kind: 'approve' })
    await one.respond((await one.fact('permission', 2)).requestId, { kind: 'approve' })
    await one.fact('turn_ended')
    expect(await repository.git('status', '--porcelain')).toBe('')
  })

  it("commits its own files and leaves the user's changes alone", async () => {
    await repository.write('README.md', 'changed by the user\n')
    await repository.write('notes.txt', 'mine\n')
    const one = await start('demo: fast\ndemo: write a.txt x\ndemo: write ../outside.txt x\ndemo: commit')
    await one.fact('turn_ended')
    expect(await repository.git('show', '--name-only', '--format=', 'HEAD')).toBe('a.txt')
    expect(await repository.git('status', '--porcelain')).toBe(' M README.md\n?? notes.txt')
  })

  it('shows what it waits for and the command that answers, in a small terminal too', async () => {
    const one = await start('demo: fast\ndemo: ask-permission echo 你好')
    const asked = await one.fact('permission')
    const target = `=${one.task.tmuxSession}:`
    const screen = () => place.tmux('capture-pane', '-p', '-t', target)
    await place.tmux('resize-window', '-t', target, '-x', '80', '-y', '24')
    const reply = `handoff reply ${shortId(one.task.taskId)}:${asked.requestId} --approve`
    const shown = await until('the picture at its new size', async () => {
      const text = await screen()
      return text.includes(reply) && text.includes('━'.repeat(79)) && !text.includes('━'.repeat(80))
        ? text
        : undefined
    })
    expect(shown).toContain('waiting for your answer')
    expect(shown).toContain('echo 你好')
  })

  it('carries large output and thousands of facts in order', async () => {
    const one = await start('demo: fast\ndemo: big-output\ndemo: progress 3000\ndemo: no-trailer')
    await one.fact('turn_ended')
    const keys = one.facts.flatMap((fact) => ('key' in fact ? [Number(fact.key)] : []))
    expect(keys.length).toBeGreaterThan(3000)
    expect(keys).toEqual(keys.map((_key, index) => index + 1))
  })
})
