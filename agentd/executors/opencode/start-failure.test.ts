import { describe, expect, it } from 'vitest'
import type { ExecutorTask } from '../adapter.ts'
import { OpencodeHttpError } from './api.ts'
import { refusedStart, startFailure } from './start-failure.ts'

const task = { worktree: '/repo' } as ExecutorTask
const answered = (body: string) => new OpencodeHttpError(400, `opencode answered 400: ${body}`, body)

describe('a start that failed', () => {
  // As opencode 1.18.33 prints it for a broken configuration in the home folder, below its other lines.
  const tail = [
    'Warning: something else.',
    'Error: Config file at /home/user/.config/opencode/opencode.json is not valid JSON(C): ',
    '--- JSONC Input ---',
    '{ "model": 9, ',
    '',
    '--- Errors ---',
    'PropertyNameExpected at line 2, column 1',
    'ValueExpected at line 2, column 1',
    'CloseBraceExpected at line 2, column 1',
    '--- End ---',
  ].join('\n')

  it('names the file that opencode complained of, however long the complaint is', () => {
    const { message, details } = startFailure(task, 'opencode serve ended at once.', tail)
    expect(message).toContain('Config file at /home/user/.config/opencode/opencode.json')
    expect(message).not.toContain('something else')
    expect(details).toEqual({ logTail: tail })
  })

  it('tells the end of a log that has no error in it, and nothing when there is no log', () => {
    expect(startFailure(task, 'Ended.', 'a\nb\nc\nd\ne\nf').message).toBe('Ended. It said: b\nc\nd\ne\nf')
    expect(startFailure(task, 'Ended.', '').message).toBe('Ended.')
  })

  it('says in a sentence what is wrong with the configuration of the repository', () => {
    const issues = [{ path: ['permission'], message: 'Expected object, got 7' }]
    const body = JSON.stringify({ name: 'ConfigInvalidError', data: { path: '/repo/opencode.json', issues } })
    expect(refusedStart(task, answered(body), '')).toMatchObject({
      code: 'executor_failed',
      message:
        'opencode cannot use its configuration /repo/opencode.json: permission: Expected object, got 7',
    })
  })

  it('keeps the answer when it is not about the configuration', () => {
    for (const body of ['', '<html>', '{"name":"NotFoundError","data":{"message":"x"}}'])
      expect(refusedStart(task, answered(body), '').message).toBe(`opencode answered 400: ${body}`)
  })
})
