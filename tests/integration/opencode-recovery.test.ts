import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { opencodeBinary } from '../support/executors.ts'
import { opencodeScript } from '../support/opencode-script.ts'
import { createOpencodeTask, patiently, type OpencodeTask } from '../support/opencode-task.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

const binary = opencodeBinary()
const reason = 'absent' in binary ? ` (skipped: ${binary.absent})` : ''
const KILLED = 'agentd was killed here'

describe.skipIf('absent' in binary)(`recovery with a real opencode${reason}`, { timeout: 240_000 }, () => {
  let oc: OpencodeTask
  const root = () => String(oc.state['session'])
  const userMessages = async (mark: string) => {
    const messages = (await oc.api(`/session/${root()}/message`)) as {
      info: { role: string }
      parts: { text?: string }[]
    }[]
    return messages.filter(
      ({ info, parts }) => info.role === 'user' && parts.some(({ text }) => text?.includes(mark)),
    )
  }
  const idle = () =>
    patiently(
      'opencode is idle',
      async () => Object.keys((await oc.api('/session/status')) as object).length === 0,
    )

  beforeAll(async () => {
    oc = await createOpencodeTask({
      script: opencodeScript,
      settings: {
        settleMs: 1_500,
        offlineGraceMs: 300,
        stream: { silentMs: 13_000, connectTimeoutMs: 2_000, retryMinMs: 50, retryMaxMs: 300 },
      },
    })
    await oc.session.start()
  }, 240_000)
  afterAll(() => oc?.dispose(), 60_000)

  it('finds everything up when it is started again, and makes nothing twice', async () => {
    const pid = await oc.serverPid()
    const session = root()
    expect(await oc.reopen().start()).toEqual({ session })
    expect(await oc.serverPid()).toBe(pid)
    expect(await oc.api('/session')).toHaveLength(1)
  })

  it('finds its conversation again when it was killed before it could write its id down', async () => {
    const session = root()
    const { session: _forgotten, ...rest } = oc.state
    oc.context.state.set(rest)
    expect(await oc.reopen().start()).toEqual({ session })
  })

  it('does not send a prompt again that had arrived before agentd was killed', async () => {
    const delivery = { deliveryId: 1_001, attempt: 1, kind: 'prompt', text: 'Arrived #question' } as const
    expect(await oc.deliver(delivery)).toEqual({ kind: 'delivered' })
    oc.reopen()
    expect(await oc.session.reattach()).toEqual({ kind: 'alive' })
    expect(await oc.deliver({ ...delivery, attempt: 2 })).toEqual({ kind: 'already' })
    const { requestId } = await oc.next('question')
    await oc.give(requestId, { kind: 'deny', stop: false }, 'question')
    await oc.next('turn_ended')
    expect(await oc.deliver({ ...delivery, attempt: 3 })).toEqual({ kind: 'already' })
    expect(await userMessages('Arrived #question')).toHaveLength(1)
  })

  it('sends a prompt that was written down but never sent, also when others came in between', async () => {
    const delivery = { deliveryId: 1_002, attempt: 1, kind: 'prompt', text: 'Written down' } as const
    oc.onStateSet = (state) => {
      if ('1002' in (state['prompts'] as object)) throw new Error(KILLED)
    }
    expect(await oc.deliver(delivery)).toMatchObject({ kind: 'retry', message: KILLED })
    oc.onStateSet = () => undefined
    oc.reopen()
    await oc.prompt('In between')
    await oc.next('turn_ended')
    expect(await oc.deliver({ ...delivery, attempt: 2 })).toEqual({ kind: 'delivered' })
    await oc.next('turn_ended')
    expect(await userMessages('Written down')).toHaveLength(1)
    expect(
      oc.model.requests.filter(({ helper, prompt }) => !helper && prompt.includes('Written down')),
    ).toHaveLength(1)
  })

  it('gives an answer that was written down but never sent', async () => {
    await oc.prompt('Half answered #command')
    const { requestId } = await oc.next('permission')
    const delivery = {
      deliveryId: 1_003,
      attempt: 1,
      kind: 'respond',
      requestId,
      ask: 'permission',
      answer: { kind: 'approve' },
    } as const
    oc.onStateSet = (state) => {
      if (requestId in (state['replies'] as object)) throw new Error(KILLED)
    }
    expect(await oc.deliver(delivery)).toMatchObject({ kind: 'retry', message: KILLED })
    oc.onStateSet = () => undefined
    oc.reopen()
    expect(await oc.deliver({ ...delivery, attempt: 2 })).toEqual({ kind: 'delivered' })
    await oc.next('turn_ended')
  })

  it('knows its own answer again by its effect when agentd was killed right after sending it', async () => {
    await oc.prompt('Just answered #command')
    const { requestId } = await oc.next('permission')
    const delivery = {
      deliveryId: 1_004,
      attempt: 1,
      kind: 'respond',
      requestId,
      ask: 'permission',
      answer: { kind: 'approve' },
    } as const
    oc.onStateSet = (state) => {
      const replies = state['replies'] as Record<string, { taken: boolean }>
      if (replies[requestId]?.taken === true) throw new Error(KILLED)
    }
    expect(await oc.deliver(delivery)).toMatchObject({ kind: 'retry' })
    oc.onStateSet = () => undefined
    oc.reopen()
    expect(await oc.deliver({ ...delivery, attempt: 2 })).toEqual({ kind: 'already' })
    await oc.next('turn_ended')
  })

  it('reports after a restart what was asked and what ended meanwhile, each once', async () => {
    oc.session.dispose()
    await oc.api(`/session/${root()}/prompt_async`, {
      method: 'POST',
      body: '{"parts":[{"type":"text","text":"Away #delegate"}]}',
    })
    await patiently(
      'a request is pending',
      async () => ((await oc.api('/permission')) as unknown[]).length === 1,
    )
    await oc.reopen().reattach()
    const asked = await oc.next('permission')
    expect(asked.ask.subagent).toBe('general: Inner work')
    oc.session.dispose()
    await oc.api(`/permission/${asked.requestId}/reply`, { method: 'POST', body: '{"reply":"once"}' })
    await idle()
    await oc.reopen().reattach()
    expect((await oc.next('request_gone')).requestId).toBe(asked.requestId)
    expect((await oc.next('turn_ended')).text).toBe('The sub-agent is done.')
    await oc.reopen().reattach()
    expect(oc.since('turn_ended')).toEqual([])
  })

  it('misses nothing when the event stream is cut, and does not count anything twice', async () => {
    const { server } = oc.state as { server: { port: number; password: string } }
    const proxy = await startTcpProxy(server.port)
    oc.context.state.set({ ...oc.state, server: { ...server, port: proxy.port } })
    await oc.reopen().reattach()
    await oc.prompt('Cut #command')
    const { requestId } = await oc.next('permission')
    proxy.cut()
    await oc.next('offline')
    expect(await oc.respond(requestId, { kind: 'approve' })).toMatchObject({ kind: 'retry' })
    proxy.mend()
    await oc.next('online')
    expect(await oc.session.reconcile()).toBe('opencode is busy; 1 waiting for an answer.')
    await oc.give(requestId, { kind: 'approve' })
    proxy.cut()
    const direct = { authorization: `Basic ${Buffer.from(`opencode:${server.password}`).toString('base64')}` }
    await patiently('the turn is over', async () => {
      const answer = await fetch(`http://127.0.0.1:${server.port}/session/status`, { headers: direct })
      return (await answer.text()) === '{}'
    })
    proxy.mend()
    expect((await oc.next('turn_ended')).text).toBe('The command was run.')
    expect(
      oc.facts.filter((fact) => fact.type === 'permission' && fact.requestId === requestId),
    ).toHaveLength(1)
    oc.context.state.set({ ...oc.state, server })
    await oc.reopen().reattach()
    await proxy.dispose()
  })

  it('says that an opencode that has gone silent is offline, and goes on when it answers again', async () => {
    const { server } = oc.state as { server: { port: number; password: string } }
    const proxy = await startTcpProxy(server.port)
    oc.context.state.set({ ...oc.state, server: { ...server, port: proxy.port } })
    await oc.reopen().reattach()
    proxy.freeze()
    expect((await oc.next('offline')).message).toMatch(/silent|in time/)
    proxy.mend()
    await oc.next('online')
    await oc.prompt('Thawed')
    expect((await oc.next('turn_ended')).text).toBe('Fine.')
    oc.context.state.set({ ...oc.state, server })
    await oc.reopen().reattach()
    await proxy.dispose()
  })

  it('reports a killed opencode as lost with the end of its log, and can take the conversation up again', async () => {
    await oc.prompt('Lost in this #command')
    const { requestId } = await oc.next('permission')
    const session = root()
    process.kill(await oc.serverPid(), 'SIGKILL')
    const lost = await oc.next('lost')
    expect(lost.logTail).toContain('opencode server listening')
    expect(await oc.respond(requestId, { kind: 'approve' })).toMatchObject({ kind: 'gone' })
    expect(await oc.reopen().reattach()).toMatchObject({ kind: 'gone' })
    expect(await oc.reopen().start()).toEqual({ session })
    expect((await oc.next('request_gone')).requestId).toBe(requestId)
    expect((await oc.next('turn_failed')).message).toMatch(/ended in the middle/)
    await oc.prompt('Again #command')
    const again = await oc.next('permission')
    await oc.give(again.requestId, { kind: 'approve' })
    expect((await oc.next('turn_ended')).text).toBe('The command was run.')
  })
})
