import { describe, expect, it, onTestFinished } from 'vitest'
import { createPlayedHosts, type PlayedHost } from '../../../tests/support/desk-hosts.ts'
import { createRepository } from '../../../tests/support/repository.ts'
import { emptyRepository, tempFolder } from '../../../tests/support/temp-repository.ts'
import type { CallOutput } from '../../../shared/protocol.ts'
import type { IpcParsed } from '../../../shared/ipc.ts'
import { AppError } from '../../../shared/errors.ts'
import { createDispatchCheck } from './check.ts'

const executors = [
  { name: 'demo', available: true, notes: [] },
  { name: 'opencode', available: false, problem: 'opencode was not found.', notes: [] },
]
const ready: PlayedHost = {
  answers: { 'host.info': () => ({ executors }) as unknown as CallOutput<'host.info'> },
}

function checker() {
  const played = createPlayedHosts({ local: ready, devbox: ready })
  const check = createDispatchCheck({ hosts: played.hosts, environment: { HOME: '/nowhere' } })
  const problems = async (input: Partial<IpcParsed<'task.check'>>) => {
    const found = await check({ host: 'local', repoPath: '/', executor: 'demo', inPlace: false, ...input })
    return found.problems.map(({ level, field, error }) => `${level} ${field} ${error.code}`)
  }
  return { check, problems, played }
}

async function repositoryForTest() {
  const repo = await createRepository()
  onTestFinished(repo.dispose)
  return repo
}

describe('what would stop a task', () => {
  it('is nothing in a clean repository, and tells what is known of it', async () => {
    const repo = await repositoryForTest()
    await repo.git('branch', 'feature')
    const { check } = checker()
    const found = await check({ host: 'local', repoPath: repo.path, executor: 'demo', inPlace: false })
    expect(found.problems).toEqual([])
    expect(found.repo).toMatchObject({
      path: repo.path,
      branch: 'main',
      head: repo.head,
      dirty: [],
      dirtyCount: 0,
    })
    expect(found.repo?.branches.sort()).toEqual(['feature', 'main'])
  })

  it('says of a host that does not answer in time that it is late, not that something was cancelled', async () => {
    const repo = await repositoryForTest()
    const late: PlayedHost = {
      answers: {
        'host.info': () => {
          throw new AppError({ code: 'cancelled', message: 'The call was cancelled.', hint: '' })
        },
      },
    }
    const { hosts } = createPlayedHosts({ local: late })
    const check = createDispatchCheck({ hosts, environment: { HOME: '/nowhere' } })
    const found = await check({ host: 'local', repoPath: repo.path, executor: 'demo', inPlace: false })
    expect(found.problems).toMatchObject([{ field: 'executor', error: { code: 'timeout' } }])
  })

  it('tells how far the branch and its upstream are apart', async () => {
    const upstream = await repositoryForTest()
    const repo = await repositoryForTest()
    await repo.git('remote', 'add', 'origin', upstream.path)
    await repo.git('fetch', '--quiet', 'origin')
    await repo.git('reset', '--quiet', '--hard', 'origin/main')
    await repo.git('branch', '--set-upstream-to=origin/main')
    await repo.commit('mine')
    await upstream.commit('theirs')
    await upstream.commit('theirs too')
    await repo.git('fetch', '--quiet', 'origin')
    const { check } = checker()
    const found = await check({ host: 'local', repoPath: repo.path, executor: 'demo', inPlace: false })
    expect(found.repo).toMatchObject({ ahead: 1, behind: 2 })
    expect(found.problems).toMatchObject([{ level: 'warn', field: 'base' }])
  })

  it('is work in place among uncommitted files, which else only stay behind', async () => {
    const repo = await repositoryForTest()
    await repo.write('new.txt', 'x')
    const { problems } = checker()
    expect(await problems({ repoPath: repo.path, inPlace: true })).toEqual(['stop worktree git.dirty'])
    expect(await problems({ repoPath: repo.path })).toEqual(['warn repo git.dirty'])
  })

  it('is a base that nobody knows, and no commit at all', async () => {
    const repo = await repositoryForTest()
    const { problems } = checker()
    expect(await problems({ repoPath: repo.path, base: 'nope' })).toEqual(['stop base git.unknown_revision'])
    expect(await problems({ repoPath: emptyRepository() })).toEqual(['stop repo git.unknown_revision'])
  })

  it('is a folder that is no repository, a path that is none, and one in somebody else’s home', async () => {
    const { problems } = checker()
    expect(await problems({ repoPath: tempFolder() })).toEqual(['stop repo git.not_a_repository'])
    expect(await problems({ repoPath: '~/repo' })).toEqual(['stop repo git.not_a_repository'])
  })

  it('is an executor that is missing or unknown, and a host that is away', async () => {
    const repo = await repositoryForTest()
    const { problems, played } = checker()
    expect(await problems({ repoPath: repo.path, executor: 'opencode' })).toEqual([
      'stop executor executor_missing',
    ])
    expect(await problems({ repoPath: repo.path, executor: 'nobody' })).toEqual([
      'stop executor executor_unknown',
    ])
    played.takeAway('devbox')
    expect(await problems({ repoPath: repo.path, host: 'devbox' })).toEqual(['stop host host_unreachable'])
    expect(await problems({ repoPath: repo.path, host: 'nobody' })).toEqual(['stop host host_unknown'])
  })
})
