import { execFileSync } from 'node:child_process'
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HostConnection } from '../../shared/node/host-client/connection.ts'
import { dispatchDemo, nextWake, requestId, startHost, type TestHost } from '../support/agentd.ts'
import { createRepository, gitTestEnvironment } from '../support/repository.ts'
import { requires } from '../support/requirements.ts'
import { createTempDir } from '../support/temp.ts'

const needs = requires('tmux', 'git')

describe.skipIf(needs.skip)(needs.title('repositories and homes in odd places'), () => {
  let host: TestHost
  let connection: HostConnection
  let folder: Awaited<ReturnType<typeof createTempDir>>

  beforeAll(async () => {
    folder = await createTempDir('odd-')
    const home = path.join(folder.path, `家 of  Ann's "${'x'.repeat(120)}`)
    await mkdir(home, { mode: 0o700 })
    host = await startHost({ home })
    connection = await host.connect()
  })
  afterAll(async () => {
    connection.close()
    await host.dispose()
    await folder.dispose()
  })

  const git = (cwd: string, ...args: string[]): string =>
    execFileSync('git', ['-c', 'protocol.file.allow=always', ...args], {
      cwd,
      env: { ...process.env, ...gitTestEnvironment },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim()

  const finish = async (repoPath: string, plan = 'demo: write 新.txt a\ndemo: commit', more = {}) => {
    const task = await dispatchDemo(connection, repoPath, plan, more)
    const { event } = await nextWake(connection, task.id)
    expect(event.type, JSON.stringify(event.body)).toBe('completed')
    const done = { requestId: requestId(), task: task.id, push: false, keepWorktree: false }
    return { task, done: await connection.call('task.done', done) }
  }

  it.each(['with  spaces', 'quote\'s "and" $HOME', '仓库 世界', '-dash', 'new\nline'])(
    'takes a repository in a folder named %j',
    async (name) => {
      const repo = await createRepository()
      const moved = path.join(folder.path, name)
      await rename(repo.path, moved)
      const { task, done } = await finish(moved)
      expect(done.worktree).toBe('removed')
      expect(git(moved, 'show', `${task.branch}:新.txt`)).toBe('a')
    },
  )

  it('refuses a repository without a commit, and says so', async () => {
    const empty = path.join(folder.path, 'empty')
    await mkdir(empty)
    git(empty, 'init', '-q')
    await expect(dispatchDemo(connection, empty, 'demo: hang')).rejects.toMatchObject({
      code: expect.stringMatching(/^git\./) as string,
      hint: expect.any(String) as string,
    })
  })

  it('takes a detached HEAD, a shallow clone and submodules, and refuses a bare repository with a sentence', async () => {
    const repo = await createRepository()
    await repo.commit('second')
    const at = (name: string) => path.join(folder.path, name)
    git(folder.path, 'clone', '-q', '--bare', repo.path, at('bare.git'))
    await expect(dispatchDemo(connection, at('bare.git'), 'demo: hang')).rejects.toMatchObject({
      code: 'git.not_a_repository',
    })
    git(folder.path, 'clone', '-q', '--depth', '1', `file://${repo.path}`, at('shallow'))
    expect((await finish(at('shallow'))).done.worktree).toBe('removed')
    git(folder.path, 'clone', '-q', repo.path, at('super'))
    git(at('super'), 'submodule', '--quiet', 'add', repo.path, 'sub')
    git(at('super'), 'commit', '-qm', 'sub')
    git(at('super'), 'checkout', '-q', '--detach')
    const { done } = await finish(at('super'))
    expect(done.task.state).toBe('completed')
    await repo.dispose()
  })

  it('takes the largest plan, control characters and any title', async () => {
    const repo = await createRepository()
    const noise = '\u001b[2J\u0007\u0000\u202e\r'.repeat(100)
    const plan = `demo: write a.txt a\ndemo: commit\n${noise}${'長い\n'.repeat(60_000)}`
    for (const title of ['🧨'.repeat(100), '\u202eמימין לשמאל', '../../etc -rf\n\t']) {
      const { task } = await finish(repo.path, plan, { title })
      expect(task.title).toBe(title)
    }
    await repo.dispose()
  })

  it('finds running tasks again when an environment file broke after the start', async () => {
    const repo = await createRepository()
    const task = await dispatchDemo(connection, repo.path, 'demo: ask-permission ls\ndemo: ask end?')
    await nextWake(connection, task.id)
    const file = path.join(host.home, 'env', 'demo.env')
    await writeFile(file, 'BROKEN LINE\n', { mode: 0o600 })
    await expect(dispatchDemo(connection, repo.path, 'demo: hang')).rejects.toMatchObject({
      code: 'environment_file',
    })
    await connection.call('task.repair', { requestId: requestId(), task: task.id })
    const { tickets } = await connection.call('ticket.list', { task: task.id })
    const input = {
      requestId: requestId(),
      ticket: tickets[0]?.id ?? '',
      answer: { kind: 'approve' as const },
    }
    await connection.call('ticket.answer', input)
    expect((await nextWake(connection, task.id)).event.type).toBe('question')
    await rm(file)
    await repo.dispose()
  })

  it('serves on when its log cannot be written', async () => {
    const repo = await createRepository()
    const logs = path.join(host.home, 'logs')
    await rename(logs, `${logs}-gone`)
    await chmod(`${logs}-gone`, 0o000)
    await finish(repo.path)
    await chmod(`${logs}-gone`, 0o700)
    await rename(`${logs}-gone`, logs)
    await repo.dispose()
  })
})
