import { readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { randomBytes } from 'node:crypto'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startRemote, type Remote } from '../support/remote.ts'
import { createRepository, type TestRepository } from '../support/repository.ts'
import { requires } from '../support/requirements.ts'

const needs = requires('sshd', 'tmux')
const DONE = ['write result.txt done', 'commit Result']

describe.skipIf(needs.skip)(needs.title('code that travels with a task over ssh'), () => {
  let remote: Remote
  const made: { dispose(): Promise<void> }[] = []

  beforeAll(async () => {
    remote = await startRemote()
    await remote.addHost('box')
  })
  afterAll(async () => {
    await remote.dispose()
    for (const one of made) await one.dispose()
  })

  async function repository(files?: Record<string, string>): Promise<TestRepository> {
    const repo = await createRepository(files)
    made.push(repo)
    return repo
  }

  /** What git says inside a repository over there. */
  async function gitThere(cwd: string, ...args: string[]): Promise<string> {
    return (await execa('git', args, { cwd })).stdout
  }

  it('sends only what the host lacks, and pushes nothing anywhere', async () => {
    const repo = await repository({ 'big.bin': randomBytes(400_000).toString('base64') })
    const bare = path.join(remote.folder, 'origin.git')
    await repo.git('clone', '--quiet', '--bare', repo.path, bare)
    await repo.git('remote', 'add', 'origin', bare)
    const unpushed = await repo.commit('not pushed')

    const first = await remote.dispatch(repo.path, DONE)
    expect(first.sentBytes).toBeGreaterThan(300_000)
    expect(await gitThere(first.task.repo, 'rev-parse', `${first.task.base}^{commit}`)).toBe(unpushed)
    const same = await remote.dispatch(repo.path, DONE)
    expect(same.sentBytes).toBe(0)
    await repo.write('small.txt', 'small')
    const next = await repo.commit('small')
    const second = await remote.dispatch(repo.path, DONE)
    expect(second.sentBytes).toBeGreaterThan(0)
    expect(second.sentBytes).toBeLessThan(2_000)
    expect(second.task.base).toBe(next)
    expect(second.task.repo).toBe(first.task.repo)

    expect(await repo.git('ls-remote', bare)).not.toContain(unpushed)
    expect(await repo.git('branch', '--list')).toBe('* main')
    expect(await readdir(path.join(remote.remoteHome, 'incoming'))).toEqual([])
  })

  it('starts from a branch, a tag, an older commit and a detached HEAD', async () => {
    const repo = await repository()
    const start = repo.head
    await repo.git('tag', '-a', 'v1', '-m', 'one')
    await repo.git('switch', '--quiet', '-c', 'feature')
    const feature = await repo.commit('feature')
    await repo.git('switch', '--quiet', 'main')
    for (const [base, commit] of [
      ['feature', feature],
      ['v1', start],
      [start.slice(0, 8), start],
    ] as const)
      expect((await remote.dispatch(repo.path, DONE, ['--base', base])).task.base).toBe(commit)
    await repo.git('switch', '--quiet', '--detach', 'feature')
    const detached = await repo.commit('on no branch')
    expect((await remote.dispatch(repo.path, DONE)).task.base).toBe(detached)
    const unknown = await remote.handoff(
      ['dispatch', '--target', 'box', '--prompt', 'x', '--base', '--upload-pack=touch'],
      { cwd: repo.path },
    )
    expect(unknown.exitCode).toBe(1)
    expect(String(unknown.stderr)).toContain('[git.unknown_revision]')
  })

  it('names what stays behind, and takes it along when asked, without touching anything here', async () => {
    const repo = await repository({ 'kept.txt': 'one', 'deleted.txt': 'bye', 'staged.txt': 'old' })
    await repo.write('kept.txt', 'two')
    await repo.write('staged.txt', 'new')
    await repo.git('add', 'staged.txt')
    await rm(path.join(repo.path, 'deleted.txt'))
    await repo.write('目录/新 文件.txt', '你好')
    await repo.git('stash', 'list')
    const state = async () => [
      await repo.git('status', '--porcelain=v2', '--branch'),
      await repo.git('diff', '--cached'),
      await repo.git('stash', 'list'),
      await repo.git('for-each-ref'),
    ]
    const before = await state()

    const names = ['deleted.txt', 'kept.txt', 'staged.txt', '目录/新 文件.txt']
    const left = await remote.dispatch(repo.path, DONE)
    expect(left.leftBehind).toEqual(names)
    expect(await gitThere(left.task.repo, 'show', `${left.task.base}:kept.txt`)).toBe('one')
    const told = await remote.handoff(
      ['dispatch', '--target', 'box', '-e', 'demo', '--prompt', 'demo: fast\ndemo: commit x'],
      { cwd: repo.path },
    )
    expect(String(told.stderr)).toContain('4 uncommitted files stay here')
    expect(String(told.stderr)).toContain('目录/新 文件.txt')

    const taken = await remote.dispatch(repo.path, DONE, ['--include-dirty'])
    expect(taken.included).toEqual(names)
    expect(taken.leftBehind).toEqual([])
    expect(await state()).toEqual(before)
    const { sync } = await remote.wait(taken.task.id)
    const { worktree } = taken.task
    expect(await readFile(path.join(worktree, '目录/新 文件.txt'), 'utf8')).toBe('你好')
    expect(await readFile(path.join(worktree, 'kept.txt'), 'utf8')).toBe('two')
    expect(await readdir(worktree)).not.toContain('deleted.txt')
    expect(sync).toMatchObject({ kind: 'created' })
    expect(await repo.git('log', '--format=%s', `main..${taken.task.branch}`)).toBe(
      'Result\nUncommitted changes at dispatch',
    )
    // The branch of the task is all that is new.
    expect((await state()).slice(0, 3)).toEqual(before.slice(0, 3))
  })
})
