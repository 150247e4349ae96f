import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SHELL_SERVER } from '../../shared/node/hosts/attach-argv.ts'
import { requires } from '../../tests/support/requirements.ts'
import { tempDirForTest } from '../../tests/support/temp.ts'
import { createTmuxPlace, type TmuxPlace } from '../../tests/support/tmux.ts'
import { until } from '../../tests/support/until.ts'
import { createShells, type Shells } from './shells.ts'

const needs = requires('tmux')
const task = 'handoff-12345678'

describe.skipIf(needs.skip)(needs.title('shells beside a task'), () => {
  let place: TmuxPlace
  let shells: Shells
  beforeAll(async () => {
    place = await createTmuxPlace('set -g destroy-unattached on\nset -g remain-on-exit on\n')
    const secret = { HANDOFF_TASK: 'other', OPENAI_API_KEY: 'secret' }
    shells = createShells({ environment: { ...place.environment, SHELL: '/bin/sh', ...secret } })
  })
  afterAll(() => place.dispose())

  const tmux = (...args: string[]) => place.tmux('-L', SHELL_SERVER, ...args)
  const type = (session: string, line: string) => tmux('send-keys', '-t', `=${session}:`, line, 'Enter')
  const shown = (session: string) => tmux('capture-pane', '-p', '-J', '-t', `=${session}:`)
  let count = 0
  const open = async (cwd = '/') =>
    shells.open({ taskSession: task, cwd, requestId: `request-${(count += 1)}` })

  it('begin in the folder, with the lowest number that is free, and without secrets', async () => {
    expect(await shells.list(task)).toEqual([])
    const cwd = join(await tempDirForTest(), "it's #{odd} 目录;")
    await mkdir(cwd)
    const first = await open(cwd)
    await type(first.session, 'pwd; env; echo end-$((40+2))')
    const text = await until('the end', async () => {
      const now = await shown(first.session)
      return now.includes('end-42') ? now : undefined
    })
    expect(text).toContain(cwd)
    expect(text).not.toMatch(/OPENAI_API_KEY|HANDOFF_TASK/)
    const second = await open()
    expect([first.number, second.number]).toEqual([1, 2])
    await shells.close({ taskSession: task, key: first.key, force: true })
    expect((await open()).number).toBe(1)
    expect((await shells.list(task)).map(({ number }) => number)).toEqual([1, 2])
  })

  it('are one for one request, and not of a task whose name is longer', async () => {
    const again = { taskSession: task, cwd: '/', requestId: 'request-same' }
    const [one, same] = [await shells.open(again), await shells.open(again)]
    expect(same).toEqual(one)
    expect(await shells.list(task.slice(0, -1))).toEqual([])
  })

  it('have numbers of their own and are eight at most, also when many are opened at once', async () => {
    const other = 'handoff-87654321'
    const openAs = (requestId: string) => shells.open({ taskSession: other, cwd: '/', requestId })
    const [one, same] = await Promise.all([openAs('twice'), openAs('twice')])
    expect(same).toEqual(one)
    const opened = await Promise.allSettled(Array.from({ length: 9 }, (_, index) => openAs(`many-${index}`)))
    expect(opened.filter(({ status }) => status === 'rejected')).toMatchObject([
      { reason: { code: 'rate_limited' } },
      { reason: { code: 'rate_limited' } },
    ])
    expect((await shells.list(other)).map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    await shells.closeAll(other)
  })

  it('are closed when nothing runs in them, or by force', async () => {
    const { key, session } = await open()
    await type(session, 'sleep 600')
    const close = (force: boolean) => shells.close({ taskSession: task, key, force })
    await until('the program', async () =>
      (await tmux('list-panes', '-t', `=${session}:`, '-F', '#{pane_current_command}')).startsWith('sleep'),
    )
    expect(await close(false)).toEqual({ kind: 'busy', program: 'sleep' })
    expect(await close(true)).toEqual({ kind: 'closed' })
    expect(await close(false)).toEqual({ kind: 'closed' })
    const idle = await open()
    await until('the shell to be idle', async () => (await shown(idle.session)).trim() !== '')
    expect(await shells.close({ taskSession: task, key: idle.key, force: false })).toEqual({ kind: 'closed' })
  })

  it('are gone when they are left, and at most eight', async () => {
    const { key, session } = await open()
    await type(session, 'exit')
    await until('it to be gone', async () => (await shells.list(task)).every((one) => one.key !== key))
    while ((await shells.list(task)).length < 8) await open()
    await expect(open()).rejects.toMatchObject({ code: 'rate_limited' })
    await shells.closeAll(task)
    expect(await shells.list(task)).toEqual([])
  })
})
