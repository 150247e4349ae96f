import { execa } from 'execa'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startRemote, type Remote } from '../support/remote.ts'
import { createRepository, type TestRepository } from '../support/repository.ts'
import { requires } from '../support/requirements.ts'
import { createTmuxPlace, type TmuxPlace } from '../support/tmux.ts'
import { until } from '../support/until.ts'

const needs = requires('sshd', 'tmux')

describe.skipIf(needs.skip)(needs.title('looking at a task over ssh'), () => {
  let remote: Remote
  let repo: TestRepository
  let desk: TmuxPlace
  let taskId: string
  let worktree: string

  beforeAll(async () => {
    remote = await startRemote()
    repo = await createRepository()
    desk = await createTmuxPlace()
    await remote.addHost('box')
    const { task } = await remote.dispatch(repo.path, [
      'say 你好 from over there',
      'write 目录/报告.txt 完成',
      'commit One',
    ])
    taskId = task.id
    worktree = task.worktree
    await remote.wait(taskId)
  })
  afterAll(async () => {
    await desk.dispose()
    await remote.dispose()
    await repo.dispose()
  })

  it('attaches the terminal to the agent’s own screen, and leaves it running', async () => {
    const { argv } = await remote.json('attach', ['attach', taskId])
    expect(argv.slice(0, 2)).toEqual(['ssh', '-t'])
    const command = `env -u TMUX HANDOFF_HOME='${remote.home}' '${remote.program}' attach ${taskId.slice(0, 8)}; echo "ended with $?"; exec cat`
    await desk.tmux('-u', 'new-session', '-d', '-s', 'look', '-x', '110', '-y', '40', command)
    const screen = () => desk.tmux('capture-pane', '-p', '-t', 'look')
    await until('the agent’s screen', async () => (await screen()).includes('你好 from over there'), {
      timeoutMs: 20_000,
    }).catch(async (error: unknown) => {
      throw new Error(await screen(), { cause: error })
    })
    await desk.tmux('send-keys', '-t', 'look', 'C-b', 'd')
    await until('the end', async () => (await screen()).includes('ended with 0'), { timeoutMs: 20_000 })
    const sessions = await remote.tmux.tmux('list-sessions', '-F', '#{session_name}')
    expect(sessions).toContain(`handoff-${taskId.slice(0, 8)}`)
    const piped = await remote.handoff(['attach', taskId])
    expect([piped.exitCode, piped.stdout]).toEqual([2, ''])
    expect(piped.stderr).toMatch(/Attaching needs a terminal.*\n +On a terminal: ssh -t/)
  })

  it('fetches files, never from outside the worktree, and shows what changed', async () => {
    expect((await remote.handoff(['fetch', taskId, '目录/报告.txt'])).stdout).toBe('完成')
    const target = path.join(remote.folder, 'report.txt')
    await remote.handoff(['fetch', taskId, '目录/报告.txt', '-o', target])
    expect(await readFile(target, 'utf8')).toBe('完成\n')
    const outside = await remote.handoff(['fetch', taskId, '../../../handoff.db', '-o', target])
    expect([outside.exitCode, outside.stderr]).toEqual([1, expect.stringContaining('[path_outside]')])
    expect(await readFile(target, 'utf8')).toBe('完成\n')
    expect((await remote.handoff(['diff', taskId, '--name-only'])).stdout).toBe('目录/报告.txt')
    expect((await remote.handoff(['diff', taskId])).stdout).toContain('+完成')
  })

  it('runs a command there, with its output and exit code, and Ctrl-C ends it there', async () => {
    const run = await remote.handoff(['run', taskId, '--', 'sh', '-c', 'pwd; echo no >&2; exit 7'])
    expect([run.stdout, run.stderr, run.exitCode]).toEqual([worktree, 'no', 7])
    const long = remote.handoff(['run', taskId, '--', 'sh', '-c', 'echo $$; exec sleep 600'])
    const first = await new Promise<string>((resolve) =>
      long.stdout?.once('data', (data: Buffer) => resolve(data.toString())),
    )
    const pid = Number(first)
    expect(pid).toBeGreaterThan(1)
    long.kill('SIGINT')
    expect((await long).exitCode).toBe(130)
    await until('the command to be gone', async () => {
      const { stdout } = await execa('ps', ['-o', 'stat=', '-p', String(pid)], { reject: false })
      return stdout.trim() === '' || stdout.startsWith('Z')
    })
  })
})
