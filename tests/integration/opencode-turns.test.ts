import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { opencodeBinary } from '../support/executors.ts'
import { opencodeScript } from '../support/opencode-script.ts'
import { createOpencodeTask, patiently, type OpencodeTask } from '../support/opencode-task.ts'

const binary = opencodeBinary()
const reason = 'absent' in binary ? ` (skipped: ${binary.absent})` : ''

describe.skipIf('absent' in binary)(`turns of a real opencode${reason}`, { timeout: 240_000 }, () => {
  let oc: OpencodeTask
  const root = () => String(oc.state['session'])

  beforeAll(async () => {
    oc = await createOpencodeTask({
      script: opencodeScript,
      settings: { retryLimit: { attempts: 2, totalMs: 60_000 }, settleMs: 1_500 },
    })
    await oc.session.start()
  }, 240_000)
  afterAll(() => oc?.dispose(), 60_000)

  it('takes a prompt while a turn runs and reports one end for both', async () => {
    await oc.prompt('First #command')
    const { requestId } = await oc.next('permission')
    expect(await oc.prompt('And then say it')).toEqual({ kind: 'delivered' })
    await oc.give(requestId, { kind: 'approve' })
    const ended = await oc.next('turn_ended')
    expect(ended.text).toBe('Fine.')
    expect(await oc.session.reconcile()).toBe('opencode is idle; nothing waits for an answer.')
    expect(oc.since('turn_ended')).toEqual([])
  })

  it('ends a hanging turn on abort and keeps the conversation', async () => {
    await oc.prompt('Think #hang')
    await oc.model.waitForRequest(({ prompt }) => prompt.includes('#hang'), 30_000)
    await oc.session.abort()
    expect((await oc.next('turn_failed')).message).toMatch(/stopped before its end/)
    await oc.prompt('Go on')
    expect((await oc.next('turn_ended')).text).toBe('Fine.')
  })

  it('takes back a request that an abort leaves in the list, also while a later turn runs', async () => {
    await oc.prompt('Leave it #command')
    const { requestId } = await oc.next('permission')
    await oc.session.abort()
    expect((await oc.next('request_gone')).requestId).toBe(requestId)
    await oc.next('turn_failed')
    expect(await oc.api('/permission')).toMatchObject([{ id: requestId }])
    await oc.prompt('Now sleep #sleep')
    const later = await oc.next('permission')
    expect(later.ask.text).toBe('sleep 300')
    expect(await oc.respond(requestId, { kind: 'approve' })).toMatchObject({ kind: 'gone' })
    expect(await oc.session.reconcile()).toBe('opencode is busy; 1 waiting for an answer.')
    await oc.give(later.requestId, { kind: 'approve' })
    await patiently('the command runs', async () =>
      JSON.stringify(await oc.api(`/session/${root()}/message?limit=1`)).includes('"output":""'),
    )
    await oc.session.abort()
    await oc.next('turn_failed')
  })

  it("shows a sub-agent's request as the task's own, with its name, and does not take its end for the task's", async () => {
    await oc.prompt('Delegate #delegate')
    const asked = await oc.next('permission')
    expect(asked.ask).toEqual({ action: 'command', text: 'touch inner.txt', subagent: 'general: Inner work' })
    await oc.give(asked.requestId, { kind: 'approve' })
    expect((await oc.next('turn_ended')).text).toBe('The sub-agent is done.')
    expect(oc.since('turn_ended')).toEqual([])
  })

  it("says that a request was answered in the agent's own screen", async () => {
    await oc.prompt('By the person #command')
    const { requestId } = await oc.next('permission')
    await oc.api(`/permission/${requestId}/reply`, { method: 'POST', body: '{"reply":"once"}' })
    expect((await oc.next('request_gone')).reason).toMatch(/own screen/)
    await oc.next('turn_ended')
    expect(await oc.respond(requestId, { kind: 'deny', stop: false })).toMatchObject({ kind: 'gone' })
  })

  it('reports a refusal of the model as a failed turn, and the next round works', async () => {
    await oc.prompt('Too much #refused')
    expect((await oc.next('turn_failed')).message).toContain('the scripted quota is used up')
    await oc.prompt('Better now')
    expect((await oc.next('turn_ended')).text).toBe('Fine.')
  })

  it('waits through a hiccup of the model and tells about it', async () => {
    await oc.prompt('Shaky #flaky')
    expect((await oc.next('progress', ({ kind }) => kind === 'status')).text).toContain('scripted hiccup')
    expect((await oc.next('turn_ended')).text).toBe('The second try was answered.')
  })

  it('gives up on a model that keeps failing', async () => {
    await oc.prompt('Outage #down')
    expect((await oc.next('turn_failed')).message).toMatch(/did not answer \(2 attempts\): scripted outage/)
    expect(await oc.session.reconcile()).toMatch(/^opencode is idle/)
  })

  it('gives up at once when the model wants more patience than there is', async () => {
    await oc.prompt('Quota #patient')
    expect((await oc.next('turn_failed')).message).toContain('come back later')
  })
})
