import { execa } from 'execa'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { opencodeBinary } from '../support/executors.ts'
import { opencodeScript } from '../support/opencode-script.ts'
import { createOpencodeTask, patiently, type OpencodeTask } from '../support/opencode-task.ts'

const binary = opencodeBinary()
const reason = 'absent' in binary ? ` (skipped: ${binary.absent})` : ''

/** A user who lets opencode do everything, and has given two agents rights of their own, with one exception. */
const permissive = {
  permission: { '*': 'allow', bash: 'allow', edit: 'allow' },
  agent: {
    general: { permission: { bash: 'allow' } },
    build: { permission: { '*': 'allow', bash: { 'rm *': 'deny' } } },
  },
}
const script = {
  rules: [
    {
      match: '#denied',
      steps: [
        { calls: [{ name: 'bash', args: { command: 'rm x.txt', description: 'x' } }] },
        { text: 'Denied by the user.' },
      ],
    },
    ...opencodeScript.rules,
  ],
} as typeof opencodeScript

describe.skipIf('absent' in binary)(`start of a real opencode${reason}`, { timeout: 240_000 }, () => {
  const open: OpencodeTask[] = []
  afterAll(async () => {
    for (const task of open) await task.dispose()
  }, 60_000)

  it('says which opencode it found, or that there is none', async () => {
    const oc = await createOpencodeTask({ script })
    open.push(oc)
    const path = join(oc.places.bin, 'opencode')
    expect(await oc.adapter.check(oc.task.environment)).toMatchObject({
      available: true,
      path,
      version: '1.18.33',
    })
    const without = await oc.adapter.check({ ...oc.task.environment, PATH: oc.places.dir })
    expect(without).toMatchObject({
      available: false,
      reason: 'not_found',
      problem: expect.stringMatching(/not found in PATH/) as string,
    })
    expect(await oc.session.reattach()).toMatchObject({ kind: 'gone' })
  })

  it('asks for everything whatever the user has allowed, sub-agents included, shows the agent, and leaves nothing behind', async () => {
    const oc = await createOpencodeTask({ script, userConfig: permissive, settings: { agentScreen: true } })
    open.push(oc)
    await oc.session.start()
    expect(oc.state['agents']).toEqual(expect.arrayContaining(['build', 'general']))
    const panes = await oc.tmux.panes(oc.task.tmuxSession)
    expect(panes?.map(({ window, dead }) => ({ window, dead }))).toEqual(
      expect.arrayContaining([
        { window: 'agent', dead: false },
        { window: 'server', dead: false },
      ]),
    )
    const agent = panes?.find(({ window }) => window === 'agent')
    await patiently('the agent is on its screen', async () =>
      /Fix the tests|scripted|Ask/i.test(await oc.tmux.capture(agent?.id ?? '', 50)),
    )

    await oc.prompt('Own agent #command')
    const own = await oc.next('permission')
    expect(own.ask.text).toBe('touch made.txt && echo built')
    await oc.give(own.requestId, { kind: 'approve' })
    await oc.next('turn_ended')
    await oc.prompt('Sub-agent #delegate')
    const sub = await oc.next('permission')
    expect(sub.ask.text).toBe('touch inner.txt')
    await oc.give(sub.requestId, { kind: 'approve' })
    await oc.next('turn_ended')
    await oc.prompt('What the user forbids #denied')
    expect((await oc.next('turn_ended')).text).toBe('Denied by the user.')
    expect(oc.since('permission')).toEqual([])

    const { password } = oc.state['server'] as { password: string }
    expect(await commandLines()).not.toContain(password)
    for (const name of await readdir(oc.places.dir))
      expect(await readFile(join(oc.places.dir, name), 'utf8')).not.toContain(password)
    const pids = panes?.map(({ pid }) => pid) ?? []
    await oc.session.stop()
    await oc.tmux.killSession(oc.task.tmuxSession)
    await patiently('its processes have ended', () => pids.every((pid) => !isAlive(pid)))
  })

  it('says why it could not start', async () => {
    const oc = await createOpencodeTask({ script, userConfig: { permission: 7 } })
    open.push(oc)
    await expect(oc.session.start()).rejects.toMatchObject({ code: 'executor_failed' })
  })
})

async function commandLines(): Promise<string> {
  return (await execa('ps', ['-eo', 'args'])).stdout
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
