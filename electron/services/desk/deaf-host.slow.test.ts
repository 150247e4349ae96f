import { expect, it, onTestFinished } from 'vitest'
import { startHost } from '../../../tests/support/agentd.ts'
import { openDeskServices } from '../../../tests/support/desk-services.ts'
import { until } from '../../../tests/support/until.ts'

const WAIT = { timeoutMs: 30_000 }

it('a host that takes calls and answers none keeps nobody waiting, and what reached it is seen when it answers', async () => {
  const host = await startHost()
  onTestFinished(host.dispose, 120_000)
  const desk = await openDeskServices(host.home)
  onTestFinished(desk.dispose, 60_000)
  await desk.untilPaired()
  const { task } = await desk.call('demo.start', {})
  const row = await until(
    'the request',
    async () => (await desk.call('inbox.window', {})).rows.find(({ taskId }) => taskId === task.id),
    WAIT,
  )
  const { ticket } = await desk.call('ticket.get', { host: 'local', ticketId: row.ticketId ?? '' })
  const pid = host.pid() ?? 0
  process.kill(pid, 'SIGSTOP')
  onTestFinished(() => void process.kill(pid, 'SIGCONT'))

  /** Begins a call and does not wait for it. */
  async function giveUp(call: Promise<unknown>, jobId: string) {
    call.catch(() => undefined)
    await until('it to run', async () => (await desk.call('job.cancel', { jobId })).found)
    return expect(call).rejects
  }
  const at = { host: 'local', taskId: task.id }
  await (
    await giveUp(desk.call('audit.list', { host: 'local', jobId: 'a1' }), 'a1')
  ).toMatchObject({ code: 'cancelled' })
  await (
    await giveUp(desk.call('rule.list', { host: 'local', jobId: 'r1' }), 'r1')
  ).toMatchObject({ code: 'cancelled' })
  // An answer is kept and on its way; nobody has to look at a button that turns.
  const answer = {
    host: 'local',
    ticketId: ticket.id,
    answer: { kind: 'approve' as const },
    seenText: ticket.ask.text,
  }
  const decision = await desk.call('ticket.answer', answer)
  expect(decision).toMatchObject({ kind: 'queued', entry: { state: 'sending' } })
  await (
    await giveUp(desk.call('task.cancel', { ...at, jobId: 'c1' }), 'c1')
  ).toMatchObject({ code: 'cancelled', hint: expect.stringContaining('may have reached local') })

  process.kill(pid, 'SIGCONT')
  await until(
    'the answer to arrive',
    async () => (await desk.call('outbox.list', {})).entries.length === 0,
    WAIT,
  )
  const { tickets } = await desk.call('task.get', at)
  expect(tickets.find(({ id }) => id === ticket.id)?.state).not.toBe('open')
})
