import path from 'node:path'
import { execa } from 'execa'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startRemote, type Remote } from '../support/remote.ts'
import { createRepository, gitTestEnvironment, type TestRepository } from '../support/repository.ts'
import { requires } from '../support/requirements.ts'

const needs = requires('sshd', 'tmux')

describe.skipIf(needs.skip)(needs.title('results that come back over ssh'), () => {
  let remote: Remote
  let repo: TestRepository

  beforeAll(async () => {
    remote = await startRemote()
    await remote.addHost('box')
  })
  afterAll(() => remote.dispose())
  beforeEach(async () => {
    repo = await createRepository()
  })
  afterEach(() => repo.dispose())

  it('come after every round, by fetching only, until the task is done', async () => {
    const { task } = await remote.dispatch(repo.path, ['write a.txt one', 'commit One'])
    const first = await remote.wait(task.id)
    expect(first.event.type).toBe('completed')
    expect(task.branch).toBe(`handoff/${task.id.slice(0, 8)}-a-test`)
    expect(first.sync).toMatchObject({ kind: 'created', branch: task.branch, repo: repo.path })
    expect(await repo.git('show', `${task.branch}:a.txt`)).toBe('one')

    await remote.json('continue', ['continue', task.id, 'demo: append a.txt two\ndemo: commit Two'])
    const second = await remote.wait(task.id)
    expect(second.sync).toMatchObject({ kind: 'updated' })
    expect(await repo.git('log', '--format=%s', `main..${task.branch}`)).toBe('Two\nOne')
    const done = await remote.json('done', ['done', task.id])
    expect(done).toMatchObject({ worktree: 'removed', sync: { kind: 'unchanged' } })
    expect(await repo.git('status', '--porcelain', '--branch')).toBe('## main')
    // All that is left here is the branch.
    expect(await repo.git('for-each-ref', '--format=%(refname)')).toBe(
      `refs/heads/${task.branch}\nrefs/heads/main`,
    )
  })

  it('leave alone what somebody did with the branch here, and say so', async () => {
    const { task } = await remote.dispatch(repo.path, ['write a.txt one', 'commit One'])
    await remote.wait(task.id)
    await repo.git('switch', '--quiet', task.branch)
    await remote.json('continue', ['continue', task.id, 'demo: append a.txt two\ndemo: commit Two'])
    const checkedOut = await remote.wait(task.id)
    if (checkedOut.sync?.kind !== 'checked_out_here') throw new Error(JSON.stringify(checkedOut.sync))
    expect(await repo.git('show', `${checkedOut.sync.keptAt ?? ''}:a.txt`)).toContain('two')
    expect(await repo.git('show', 'HEAD:a.txt')).toBe('one')
    const told = await remote.handoff(['pull', task.id], { cwd: repo.path })
    expect([told.exitCode, told.stdout]).toEqual([
      0,
      expect.stringMatching(/is checked out in .* was not moved/),
    ])

    await repo.write('mine.txt', 'mine')
    const mine = await repo.commit('mine')
    const diverged = await remote.json('pull', ['pull', task.id], { cwd: repo.path })
    expect(diverged.sync).toMatchObject({ kind: 'diverged', local: mine })
    expect(await repo.git('rev-parse', task.branch)).toBe(mine)
    const said = await remote.handoff(['pull', task.id], { cwd: repo.path })
    expect(said.stdout).toMatch(/has other commits and was kept; the result lies at refs\/handoff/)
    await remote.json('done', ['done', task.id])
  })

  it('are pulled into any clone of the repository, and into no other repository', async () => {
    const { task } = await remote.dispatch(repo.path, ['write a.txt one', 'commit One'])
    await remote.wait(task.id)
    const env = { ...process.env, ...gitTestEnvironment }
    const clone = path.join(remote.folder, 'other-clone')
    await execa('git', ['clone', '--quiet', repo.path, clone], { env })
    const here = await remote.json('pull', ['pull', task.id, '--repo', clone])
    expect(here.sync).toMatchObject({ kind: 'created', repo: clone })
    const stranger = await createRepository({ 'other.txt': 'other' })
    const refused = await remote.handoff(['pull', task.id, '--repo', stranger.path])
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toContain('is another repository: it has no commit in common with the task')
    expect(await stranger.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main')
    await stranger.dispose()
    // Another person's machine: no record of the dispatch, so the repository they stand in is meant.
    const elsewhere = { HANDOFF_HOME: path.join(remote.folder, 'e') }
    await remote.handoff(
      [
        'host',
        'add',
        'box',
        `ssh://${remote.sshd.host}`,
        '--ssh-config',
        remote.sshd.configFile,
        '--no-check',
      ],
      { env: elsewhere },
    )
    const there = await remote.json('pull', ['--host', 'box', 'pull', task.id], {
      cwd: clone,
      env: elsewhere,
    })
    expect(there.sync).toMatchObject({ kind: 'unchanged', repo: clone })
  })
})
