import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { randomBytes } from 'node:crypto'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startRemote, type Remote } from '../support/remote.ts'
import { createRepository, gitTestEnvironment, type TestRepository } from '../support/repository.ts'
import { requires } from '../support/requirements.ts'
import { until } from '../support/until.ts'

const needs = requires('sshd', 'tmux')
const DONE = ['write result.txt done', 'commit Result']

describe.skipIf(needs.skip)(needs.title('all kinds of repositories over ssh'), () => {
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

  /** A clone of a repository, as somebody has it beside the first. */
  async function cloneOf(repo: TestRepository, ...options: string[]) {
    const target = path.join(remote.folder, `clone-${randomBytes(4).toString('hex')}`)
    const env = { ...process.env, ...gitTestEnvironment }
    await execa('git', ['clone', '--quiet', ...options, `file://${repo.path}`, target], { env })
    const git = async (...args: string[]) => (await execa('git', args, { cwd: target, env })).stdout
    return { path: target, git }
  }

  /** What git says inside a repository over there. */
  async function gitThere(cwd: string, ...args: string[]): Promise<string> {
    return (await execa('git', args, { cwd })).stdout
  }

  it('takes a shallow clone where the host has the rest, and says what to do where it has not', async () => {
    const repo = await repository()
    await repo.commit('two')
    await repo.commit('three')
    const shallow = await cloneOf(repo, '--depth', '1')
    const refused = await remote.handoff(['dispatch', '--target', 'box', '-e', 'demo', '--prompt', 'x'], {
      cwd: shallow.path,
    })
    expect(refused.exitCode).toBe(1)
    expect(String(refused.stderr)).toMatch(/shallow clone.*\[git\.shallow\]\n.*git fetch --unshallow/)

    const whole = await cloneOf(repo)
    const known = await remote.dispatch(whole.path, DONE)
    await shallow.git('commit', '--quiet', '--allow-empty', '-m', 'four')
    const sent = await remote.dispatch(shallow.path, DONE)
    expect(sent.task.repo).toBe(known.task.repo)
    expect((await remote.wait(sent.task.id)).sync).toMatchObject({ kind: 'created' })
  })

  it('keeps two repositories of the same name apart', async () => {
    const two = await Promise.all(
      ['a', 'b'].map(async (parent) => {
        const folder = path.join(remote.folder, parent, 'project')
        await mkdir(folder, { recursive: true })
        const env = { ...process.env, ...gitTestEnvironment }
        await execa('git', ['init', '--quiet', '-b', 'main'], { cwd: folder, env })
        await writeFile(path.join(folder, 'who.txt'), parent)
        await execa('git', ['add', '-A'], { cwd: folder, env })
        await execa('git', ['commit', '--quiet', '-m', parent], { cwd: folder, env })
        return folder
      }),
    )
    const [first, second] = [
      await remote.dispatch(two[0] ?? '', DONE),
      await remote.dispatch(two[1] ?? '', DONE),
    ]
    expect(first.task.repo).not.toBe(second.task.repo)
    expect(path.basename(first.task.repo)).toMatch(/^project-[0-9a-f]{12}\.git$/)
    expect(await gitThere(second.task.repo, 'show', `${second.task.base}:who.txt`)).toBe('b')
  })

  it('leaves nothing half done when it is interrupted in the middle of much history', async () => {
    const repo = await repository()
    for (let part = 0; part < 6; part += 1)
      await writeFile(path.join(repo.path, `${part}`), randomBytes(10 << 20))
    await repo.commit('sixty megabytes')
    const incoming = path.join(remote.remoteHome, 'incoming')
    const args = ['dispatch', '--target', 'box', '-e', 'demo', '--prompt', 'demo: fast\ndemo: commit x']
    const interrupted = remote.handoff(args, { cwd: repo.path })
    await until('the upload to begin', async () => (await readdir(incoming)).length > 0, {
      timeoutMs: 40_000,
    })
    interrupted.kill('SIGINT')
    const { exitCode, stdout, stderr } = await interrupted
    expect([exitCode, stdout]).toEqual([130, ''])
    expect(String(stderr)).toMatch(
      /^(Sending commits: \d+ % of 60\.\d MiB|Packing .*|Asking .*|Connecting .*) …$/m,
    )
    await until('the host to have cleaned up', async () => (await readdir(incoming)).length === 0)
    const { tasks } = await remote.json('tasks', ['--host', 'box', 'tasks', '--all'])
    expect(tasks.filter((task) => path.basename(task.repo).startsWith(path.basename(repo.path)))).toEqual([])

    const sent = await remote.dispatch(repo.path, DONE)
    expect(sent.sentBytes).toBeGreaterThan(60 << 20)
    expect(await readdir(incoming)).toEqual([])
    await remote.wait(sent.task.id)
  })
})
