import { describe, expect, it, onTestFinished } from 'vitest'
import { createPlayedHosts } from '../../../tests/support/desk-hosts.ts'
import { createRepository } from '../../../tests/support/repository.ts'
import { sampleTask, TASK_ID } from '../../../tests/support/sample-facts.ts'
import { tempFolder } from '../../../tests/support/temp-repository.ts'
import { until } from '../../../tests/support/until.ts'
import { AppError } from '../../../shared/errors.ts'
import { createDispatchedStore } from '../../../shared/node/hosts/dispatched.ts'
import { createBrought } from './brought.ts'
import { createResults, type SyncFailure } from './results.ts'

const BRANCH = 'handoff/3fa2c0de-greeting'
const ended = { seq: 9, taskId: TASK_ID, at: 1, type: 'completed', body: {} }

async function scene() {
  const repo = await createRepository()
  onTestFinished(repo.dispose)
  const home = tempFolder()
  const dispatched = createDispatchedStore(home)
  dispatched.save({ taskId: TASK_ID, host: 'devbox', repoPath: repo.path, branch: BRANCH })
  let trouble: AppError | undefined
  const played = createPlayedHosts({
    local: {},
    devbox: {
      answers: {
        'task.bundle': () => {
          if (trouble !== undefined) throw trouble
          return { branch: BRANCH, commit: repo.head, nothingNew: true }
        },
      },
    },
  })
  const failures: SyncFailure[] = []
  const bugs: unknown[] = []
  const task = sampleTask({ branch: BRANCH, head: repo.head, base: repo.head })
  const brought = createBrought(home)
  const results = createResults({
    cache: { task: () => task },
    hosts: played.hosts,
    dispatched,
    brought,
    onFailure: (failure) => failures.push(failure),
    onBug: (error) => bugs.push(error),
  })
  onTestFinished(results.dispose)
  const asked = () => played.asked.filter(({ name }) => name === 'task.bundle').length
  const branch = () => repo.git('rev-parse', '--verify', '--quiet', BRANCH)
  const failWith = (error: AppError | undefined) => void (trouble = error)
  return { ...played, repo, results, failures, bugs, brought, task, asked, branch, failWith }
}

describe('bringing results back', () => {
  it('brings the branch of a finished round here, once', async () => {
    const { results, repo, asked, branch, brought, bugs } = await scene()
    results.heard('devbox', [ended])
    await until('the record', () => brought.get(TASK_ID) === repo.head)
    expect(await branch()).toBe(repo.head)
    results.heard('devbox', [ended, ended])
    await results.dispose()
    expect(asked()).toBe(1)
    expect(bugs).toEqual([])
  })

  it('leaves alone what was dispatched elsewhere, on this machine, or is still going on', async () => {
    const { results, asked } = await scene()
    results.heard('devbox', [
      { ...ended, type: 'progress' },
      { ...ended, taskId: TASK_ID.replace('3', '4') },
    ])
    results.heard('local', [ended])
    results.heard('otherbox', [ended])
    await results.dispose()
    expect(asked()).toBe(0)
  })

  it('tries again when the host is back, and says nothing about it', async () => {
    const { results, repo, task, asked, branch, failures, failWith, lost } = await scene()
    results.expect('devbox', task)
    failWith(lost())
    results.heard('devbox', [ended])
    await until('the first try', () => asked() === 1)
    failWith(undefined)
    results.hostIsLive('devbox')
    await until('the branch', async () => (await branch()) === repo.head)
    expect(failures).toEqual([])
  })

  it('says what cannot be brought here', async () => {
    const { results, failures, failWith } = await scene()
    failWith(new AppError({ code: 'git.unknown_revision', message: 'The branch is gone.' }))
    results.heard('devbox', [ended])
    await until('the failure', () => failures.length === 1)
    expect(failures[0]).toMatchObject({
      host: 'devbox',
      taskId: TASK_ID,
      error: { code: 'git.unknown_revision' },
    })
  })

  it('does not make a branch anew that the person has deleted after it was brought', async () => {
    const { results, repo, asked, brought } = await scene()
    brought.set(TASK_ID, repo.head)
    results.hostIsLive('devbox')
    await results.dispose()
    expect(asked()).toBe(0)
  })
})
