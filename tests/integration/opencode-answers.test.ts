import { access, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { opencodeBinary } from '../support/executors.ts'
import { opencodeScript } from '../support/opencode-script.ts'
import { createOpencodeTask, toolResults, type OpencodeTask } from '../support/opencode-task.ts'

const binary = opencodeBinary()
const reason = 'absent' in binary ? ` (skipped: ${binary.absent})` : ''

describe.skipIf('absent' in binary)(`answers to a real opencode${reason}`, { timeout: 240_000 }, () => {
  let oc: OpencodeTask
  const made = (name: string) =>
    access(join(oc.places.worktree, name)).then(
      () => true,
      () => false,
    )
  const ends = () => oc.facts.filter(({ type }) => type === 'turn_ended').length

  beforeAll(async () => {
    oc = await createOpencodeTask({ script: opencodeScript })
    await writeFile(join(oc.places.outside, 'secret.txt'), 'outside text\n')
    await oc.session.start()
  }, 240_000)
  afterAll(() => oc?.dispose(), 60_000)

  it('asks for a command with its exact text, runs it when approved, and ends the turn once', async () => {
    expect(await oc.prompt('Build it #command')).toEqual({ kind: 'delivered' })
    const asked = await oc.next('permission')
    expect(asked.ask).toEqual({ action: 'command', text: 'touch made.txt && echo built' })
    expect(asked.cwd).toBe(oc.places.worktree)
    expect(await made('made.txt')).toBe(false)
    expect(await oc.respond(asked.requestId, { kind: 'approve' })).toEqual({ kind: 'delivered' })
    expect((await oc.next('turn_ended')).text).toBe('The command was run.')
    expect(await made('made.txt')).toBe(true)
    expect(ends()).toBe(1)
    const told = oc.facts.flatMap((fact) => (fact.type === 'progress' ? [`${fact.kind}: ${fact.text}`] : []))
    expect(told).toContain('text: I build first.')
    expect(told).toContain('tool: bash touch made.txt && echo built — done')
    expect(told).toContain('usage: 100 tokens in, 20 out')
  })

  it('tells the exit code of a command that failed', async () => {
    await oc.prompt('Try it #fails')
    const asked = await oc.next('permission')
    await oc.give(asked.requestId, { kind: 'approve' })
    expect((await oc.next('turn_ended')).text).toBe('It failed.')
    const failed = oc.facts.filter((fact) => fact.type === 'progress' && fact.failed !== undefined)
    expect(failed).toMatchObject([{ kind: 'tool', text: 'bash exit 3', failed: { exitCode: 3 } }])
  })

  it('asks for the same command again in a later round, because an approval holds once', async () => {
    await oc.prompt('Once more #command')
    const asked = await oc.next('permission')
    await oc.give(asked.requestId, { kind: 'approve' })
    await oc.next('turn_ended')
    expect(ends()).toBe(3)
  })

  it('shows the path and the change of an edit, and writes nothing before the approval', async () => {
    await oc.prompt('Write it #write')
    const { ask, requestId } = await oc.next('permission')
    expect(ask).toMatchObject({ action: 'edit', text: join(oc.places.worktree, 'notes.txt') })
    expect(ask.diff).toContain('+hello')
    expect(await made('notes.txt')).toBe(false)
    await oc.give(requestId, { kind: 'approve' })
    expect((await oc.next('turn_ended')).text).toBe('Written.')
    expect(await made('notes.txt')).toBe(true)
  })

  it('gives a denial with its message to the agent, and the turn goes on', async () => {
    await oc.prompt('Denied #command')
    const { requestId } = await oc.next('permission')
    await oc.give(requestId, { kind: 'deny', stop: false, message: 'Use the make target instead.' })
    expect((await oc.next('turn_ended')).text).toBe('The command was run.')
    expect(toolResults(oc.model, 'Denied #command').join()).toContain('Use the make target instead.')
  })

  it('goes on after a denial without a message too, and the agent is told that it was denied', async () => {
    await oc.prompt('Silent denial #command')
    const { requestId } = await oc.next('permission')
    await oc.give(requestId, { kind: 'deny', stop: false })
    await oc.next('turn_ended')
    expect(toolResults(oc.model, 'Silent denial').join()).toContain('The reviewer denied this')
  })

  it('ends the turn at a denial that stops, without asking the model again, and takes the next prompt', async () => {
    await oc.prompt('Stop here #command')
    const { requestId } = await oc.next('permission')
    const before = oc.model.requests.filter(({ helper }) => !helper).length
    expect(await oc.respond(requestId, { kind: 'deny', stop: true })).toEqual({ kind: 'delivered' })
    expect((await oc.next('turn_ended')).text).toBe('I build first.')
    expect(oc.model.requests.filter(({ helper }) => !helper)).toHaveLength(before)
    expect(await oc.api('/permission')).toEqual([])
    await oc.prompt('Say something')
    expect((await oc.next('turn_ended')).text).toBe('Fine.')
  })

  it('holds two requests at once and takes their answers in any order', async () => {
    await oc.prompt('Both #two')
    const first = await oc.next('permission')
    const second = await oc.next('permission')
    expect([first.ask.text, second.ask.text].sort()).toEqual(['touch one.txt', 'touch two.txt'])
    await oc.give(second.requestId, { kind: 'approve' })
    await oc.give(first.requestId, { kind: 'approve' })
    expect((await oc.next('turn_ended')).text).toBe('Both are settled.')
    expect([await made('one.txt'), await made('two.txt')]).toEqual([true, true])
  })

  it('says that a denial took the other request with it, and the turn goes on all the same', async () => {
    await oc.prompt('One of them #two')
    const first = await oc.next('permission')
    const second = await oc.next('permission')
    await oc.give(first.requestId, { kind: 'deny', stop: false, message: 'Not this one.' })
    const gone = await oc.next('request_gone')
    expect(gone.requestId).toBe(second.requestId)
    expect(gone.reason).toMatch(/together with another request/)
    expect((await oc.next('turn_ended')).text).toBe('Both are settled.')
    expect(await oc.respond(second.requestId, { kind: 'approve' })).toMatchObject({ kind: 'gone' })
  })

  it('asks before a page is fetched', async () => {
    await oc.prompt('Get it #fetch')
    const { ask, requestId } = await oc.next('permission')
    expect(ask).toEqual({ action: 'fetch', text: 'http://127.0.0.1:9/none' })
    await oc.give(requestId, { kind: 'deny', stop: false })
    await oc.next('turn_ended')
  })

  it('asks before a file outside the worktree is read, by a tool or by a command', async () => {
    const file = join(oc.places.outside, 'secret.txt')
    await oc.prompt('Look #outside')
    const read = await oc.next('permission')
    expect(read.ask).toMatchObject({ action: 'outside', text: file })
    await oc.give(read.requestId, { kind: 'approve' })
    await oc.next('turn_ended')
    expect(toolResults(oc.model, 'Look #outside').join()).toContain('outside text')
    await oc.prompt('Look #shelloutside')
    const shell = await oc.next('permission')
    expect(shell.ask).toMatchObject({ action: 'outside', text: `cat ${file}` })
    await oc.give(shell.requestId, { kind: 'approve' })
    const command = await oc.next('permission')
    expect(command.ask).toMatchObject({ action: 'command', text: `cat ${file}` })
    await oc.give(command.requestId, { kind: 'deny', stop: false })
    await oc.next('turn_ended')
  })

  it('passes a question with its options on and brings the chosen label back', async () => {
    await oc.prompt('Ask #question')
    const { ask, requestId } = await oc.next('question')
    expect(ask).toEqual({
      text: 'Which branch?',
      multiple: false,
      options: [
        { label: 'main', description: 'Take main' },
        { label: 'dev', description: 'Take dev' },
      ],
    })
    await oc.give(requestId, { kind: 'options', labels: ['dev'] }, 'question')
    await oc.next('turn_ended')
    expect(toolResults(oc.model, 'Ask #question').join()).toContain('dev')
  })

  it('takes free text for a question, and a refusal with or without words', async () => {
    for (const [mark, answer, expected] of [
      ['free', { kind: 'text', text: 'the release branch' }, 'the release branch'],
      ['refusal', { kind: 'deny', stop: false }, 'dismissed'],
      ['explained', { kind: 'deny', stop: false, message: 'Decide it yourself.' }, 'Decide it yourself.'],
    ] as const) {
      await oc.prompt(`${mark} #question`)
      const { requestId } = await oc.next('question')
      await oc.give(requestId, answer, 'question')
      await oc.next('turn_ended')
      expect(toolResults(oc.model, `${mark} #question`).join()).toContain(expected)
    }
  })

  it('makes one ticket of several questions and gives each its line of the answer', async () => {
    await oc.prompt('Several #manyasked')
    const { ask, requestId } = await oc.next('question')
    expect(ask.text).toContain('1. Which branch?')
    expect(ask.text).toContain('2. Which colour?')
    expect(ask.options).toEqual([])
    await oc.give(requestId, { kind: 'text', text: '1. dev\n2. red' }, 'question')
    await oc.next('turn_ended')
    const told = toolResults(oc.model, 'Several #manyasked').join()
    expect(told).toContain('dev')
    expect(told).toContain('red')
  })
})
