import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { assertBranchName, isBranchName, slugOf, taskBranch, worktreeFolder } from './branch-name.ts'

it('makes a short ASCII slug from a title', () => {
  expect(slugOf('Fix the LOGIN page (again)!')).toBe('fix-the-login-page-again')
  expect(slugOf('Café déjà vu')).toBe('cafe-deja-vu')
  expect(slugOf('修复登录页面')).toBe('task')
  expect(slugOf('修复 login 页面 v2')).toBe('login-v2')
  expect(slugOf('../../-x .lock @{')).toBe('x-lock')
  expect(slugOf('')).toBe('task')
  expect(slugOf('a'.repeat(100))).toHaveLength(40)
  const long = slugOf('one two three four five six seven eight nine ten eleven')
  expect(long).toBe('one-two-three-four-five-six-seven-eight')
})

it('names the branch and the folder of a task', () => {
  expect(taskBranch({ taskId: '0198abcd-ef01-7000', title: 'Fix it' })).toBe('handoff/0198abcd-fix-it')
  expect(worktreeFolder({ home: '/h', repoPath: '/x/My App.git', taskId: '0198abcdef' })).toBe(
    '/h/worktrees/my-app-0198abcd',
  )
  expect(() => taskBranch({ taskId: '../../etc', title: 'x' })).toThrow(/task id/)
  expect(() => taskBranch({ taskId: 'abc', title: 'x' })).toThrow(/task id/)
})

it('agrees with git check-ref-format on what a branch may be called', () => {
  const names = [
    'a',
    'a/b',
    'handoff/1-x',
    '修复',
    'a.b',
    'a-',
    'x@y',
    'a..b',
    '.a',
    'a/.b',
    'a.lock',
    'a.lock/b',
    'a.',
  ]
  names.push(
    'a/',
    '/a',
    'a//b',
    'a b',
    'a~',
    'a^',
    'a:b',
    'a?',
    'a*',
    'a[',
    'a\\b',
    'a@{b',
    'a\tb',
    'a\u007fb',
    '../x',
    '{a}',
    'a"b',
  )
  for (const name of names) {
    const { status } = spawnSync('git', ['check-ref-format', '--branch', name])
    expect(isBranchName(name), JSON.stringify(name)).toBe(status === 0)
  }
})

it('refuses names that read as options or as HEAD', () => {
  for (const name of ['', '@', '-d', '--force', 'HEAD', 'x'.repeat(201)])
    expect(() => assertBranchName(name)).toThrow(/branch name/)
})
