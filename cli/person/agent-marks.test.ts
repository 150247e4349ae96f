import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { AppError } from '../../shared/errors.ts'
import { agentMark, taskAncestor } from './agent-marks.ts'
import { requirePerson, whyNoPerson } from './person.ts'

describe('agentMark', () => {
  it.each([
    'CLAUDECODE',
    'CLAUDE_CODE_ENTRYPOINT',
    'OPENCODE',
    'OPENCODE_PID',
    'CODEX_SANDBOX',
    'CURSOR_AGENT',
    'GEMINI_CLI',
    'AI_AGENT',
    'HANDOFF_TASK',
  ])('knows %s as the mark of an agent', (name) => expect(agentMark({ [name]: '1' })).toBe(name))
  it.each(['CODEX_HOME', 'OPENCODE_CONFIG', 'CLAUDE_CODE_MAX_OUTPUT_TOKENS', 'CLAUDE_CONFIG_DIR', 'EDITOR'])(
    'takes %s for a setting of a person',
    (name) => expect(agentMark({ [name]: 'x' })).toBeUndefined(),
  )
  it('does not count an empty variable', () => expect(agentMark({ CLAUDECODE: '' })).toBeUndefined())
})

describe('taskAncestor', () => {
  let proc = ''
  afterEach(() => rmSync(proc, { recursive: true, force: true }))

  function processes(list: { pid: number; parent: number; env: string }[]): void {
    proc = mkdtempSync(join(tmpdir(), 'handoff-proc-'))
    for (const { pid, parent, env } of list) {
      mkdirSync(join(proc, String(pid)))
      writeFileSync(join(proc, String(pid), 'stat'), `${pid} (a) b (x) S ${parent} 1 1`)
      writeFileSync(join(proc, String(pid), 'environ'), env)
    }
  }

  it('finds the task of a process whose own environment was cleaned', () => {
    processes([
      { pid: 30, parent: 20, env: 'A=1\0' },
      { pid: 20, parent: 10, env: '' },
      { pid: 10, parent: 1, env: 'A=1\0HANDOFF_TASK=3fa2\0' },
    ])
    expect(taskAncestor(30, proc)).toEqual({ pid: 10, taskId: '3fa2' })
  })
  it('finds nothing where nothing is, and where there is no /proc', () => {
    processes([{ pid: 30, parent: 1, env: 'A=1\0' }])
    expect(taskAncestor(30, proc)).toBeUndefined()
    expect(taskAncestor(30, join(proc, 'none'))).toBeUndefined()
  })
})

describe('requirePerson', () => {
  const seat = { env: {}, stdinIsTerminal: true, stdoutIsTerminal: true, pid: 1 }
  it('lets a person at a terminal through', () => expect(whyNoPerson(seat)).toBeUndefined())
  it.each([
    ['piped input', { stdinIsTerminal: false }],
    ['piped output', { stdoutIsTerminal: false }],
    ['an agent', { env: { CLAUDECODE: '1' } }],
  ])('refuses %s with person_required', (_name, change) => {
    const attempt = () => requirePerson({ ...seat, ...change }, { what: 'This', otherwise: 'Do it by hand.' })
    expect(attempt).toThrow(AppError)
    expect(attempt).toThrow(/needs a person/)
  })
})
