import { describe, expect, it } from 'vitest'
import { ascendingId } from './message-id.ts'
import { permissionFact, questionAnswers, questionFact, toolProgress } from './translate.ts'
import { partSchema, type PermissionRequest, type QuestionRequest, type ToolPart } from './wire.ts'

const where = { cwd: '/repo', subagent: undefined }
const permission = (
  kind: string,
  metadata: Record<string, unknown>,
  patterns: string[] = [],
): PermissionRequest => ({
  id: 'per_1',
  sessionID: 'ses_1',
  permission: kind,
  patterns,
  metadata,
  tool: undefined,
})
const question = (text: string, labels: string[]) => ({
  question: text,
  header: '',
  options: labels.map((label) => ({ label, description: '' })),
  multiple: false,
})
const asking = (...questions: ReturnType<typeof question>[]): QuestionRequest => ({
  id: 'que_1',
  sessionID: 'ses_1',
  questions,
  tool: undefined,
})

describe('a permission request', () => {
  it('of a kind nobody knows is shown with everything that opencode says about it', () => {
    expect(permissionFact(permission('my_mcp_send', { to: 'x' }, ['*']), where)).toMatchObject({
      ask: { action: 'other', text: 'my_mcp_send {"patterns":["*"],"to":"x"}' },
    })
  })

  it('without the text that its kind should have is not shown as that kind', () => {
    expect(permissionFact(permission('bash', {}, ['ls']), where)).toMatchObject({ ask: { action: 'other' } })
    expect(permissionFact(permission('webfetch', { url: 5 }), where)).toMatchObject({
      ask: { action: 'other' },
    })
  })

  it('is refused when its text does not fit, and says when a change is cut', () => {
    expect(permissionFact(permission('bash', { command: 'x'.repeat(100_001) }), where)).toBe('too_long')
    expect(
      permissionFact(permission('edit', { filepath: '/repo/a', diff: 'y'.repeat(400_001) }), where),
    ).toMatchObject({
      ask: {
        text: '/repo/a',
        description: 'Only the first 400000 of 400001 characters of the change are shown.',
      },
    })
  })
})

describe('the end of a tool', () => {
  const bash = (state: object) =>
    toolProgress(
      partSchema.parse({
        id: 'prt_1',
        messageID: 'msg_1',
        sessionID: 'ses_1',
        type: 'tool',
        tool: 'bash',
        callID: 'c',
        state: { input: { command: 'npm test' }, ...state },
      }) as ToolPart,
      undefined,
    )

  it('has failed when its command ended with another code than 0', () => {
    expect(bash({ status: 'completed', metadata: { exit: 1, output: '' } })).toMatchObject({
      text: 'bash npm test',
      failed: { exitCode: 1 },
    })
    const done = bash({ status: 'completed', metadata: { exit: 0 } })
    expect(done).toMatchObject({ text: 'bash npm test — done' })
    expect(done).not.toHaveProperty('failed')
    expect(bash({ status: 'completed', metadata: { exit: null } })).not.toHaveProperty('failed')
    expect(bash({ status: 'completed', metadata: 'odd' })).not.toHaveProperty('failed')
  })

  it('has failed without a code when the tool itself did', () => {
    expect(bash({ status: 'error', error: 'no such\nfile' })).toMatchObject({
      text: 'bash npm test — no such file',
      failed: {},
    })
  })
})

describe('answers to questions', () => {
  it('are one per question, by lines when there are as many', () => {
    const two = asking(question('A?', ['x']), question('B?', []))
    expect(questionAnswers(two, { kind: 'text', text: '1. x\n2) y z' })).toEqual([['x'], ['y z']])
    expect(questionAnswers(two, { kind: 'text', text: 'both x' })).toEqual([['both x'], ['both x']])
    expect(questionFact(two, 'general').ask).toMatchObject({ options: [], subagent: 'general' })
  })

  it('keep the lines of a free text and the whole of a long label', () => {
    const one = asking(question('A?', ['l'.repeat(600)]))
    expect(questionAnswers(one, { kind: 'text', text: 'a\nb' })).toEqual([['a\nb']])
    const shown = questionFact(one, undefined).ask.options[0]?.label ?? ''
    expect(questionAnswers(one, { kind: 'options', labels: [shown] })).toEqual([['l'.repeat(600)]])
  })
})

describe('ids of messages', () => {
  it('look and sort like opencode’s own', () => {
    // Seen: a message of the millisecond 1796022805286 had the id msg_22b4d2326001FVMmKdidDzuvqy.
    expect(ascendingId('msg', 1_796_022_805_286)).toMatch(/^msg_22b4d2326001[0-9A-Za-z]{14}$/)
    expect(ascendingId('msg', 1_796_022_805_287) > 'msg_22b4d2326001zzzzzzzzzzzzzz').toBe(true)
  })

  it('sort behind the newest message also when the clock was set back', () => {
    const newest = 'msg_22b4d2326001FVMmKdidDzuvqy'
    expect(ascendingId('msg', 1_700_000_000_000, newest) > newest).toBe(true)
  })
})
