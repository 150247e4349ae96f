import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createDemoAdapter } from '../../agentd/executors/demo/adapter.ts'
import { createTmux } from '../../agentd/executors/tmux.ts'
import { createExecutorHarness, type ExecutorHarness } from '../support/executor-harness.ts'
import { createRepository, type TestRepository } from '../support/repository.ts'
import { requires } from '../support/requirements.ts'
import { createTmuxPlace, type TmuxPlace } from '../support/tmux.ts'

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
    await one.prompt('The reviewer looked at your work:\n\nAdd a title\n\nEnd with {"branch": …}')
    const second = trailerOf((await one.fact('turn_ended', 2)).text)
    expect(second['commit']).not.toBe(first['commit'])
    expect(await repository.git('show', 'HEAD:HANDOFF_DEMO.md')).toContain('- [x] Add a title')
  })
})
