import { describe, expect, it, onTestFinished } from 'vitest'
import {
  permission,
  question,
  sampleTask,
  sampleTicket,
  TASK_ID,
} from '../../../tests/support/sample-facts.ts'
import { tempDirForTest } from '../../../tests/support/temp.ts'
import { ipcCalls } from '../../../shared/ipc.ts'
import { taskSchema } from '../../../shared/domain/task.ts'
import { ticketSchema } from '../../../shared/domain/ticket.ts'
import { openCache } from './open-cache.ts'

/** What an executor or a hostile repository may call things: escapes, reordering, halves of characters, line ends. */
const ODD = '\u202egnp.exe\u0007\u001b[31m\ud800\u2028\0"<img src=x>' + '\u0301'.repeat(20)
const odd = (length: number) => ODD.repeat(Math.ceil(length / ODD.length)).slice(0, length)

describe('what a host calls its things', () => {
  it('fits into what windows are told, however long and odd it is', async () => {
    const folder = await tempDirForTest()
    const cache = openCache({ path: `${folder}/cache.db` })
    onTestFinished(cache.dispose)
    const task = taskSchema.parse(
      sampleTask({
        title: odd(200),
        executor: odd(64),
        branch: 'b'.repeat(200),
        repo: { kind: 'path', path: `/${odd(4_000)}`, name: odd(200) },
        summary: odd(20_000),
        state: 'waiting_answer',
        openTickets: 3,
        lastSeq: 5,
      }),
    )
    const tickets = [
      sampleTicket({
        id: `${TASK_ID}:${'p'.repeat(190)}`,
        ask: { ...permission(), text: odd(100_000), subagent: odd(200) },
      }),
      sampleTicket({
        id: `${TASK_ID}:q`,
        ask: question({
          text: odd(100_000),
          options: [odd(500), odd(499), odd(498)].map((label) => ({ label })),
        }),
      }),
      sampleTicket({ id: `${TASK_ID}:review-1`, ask: { kind: 'review', round: 1, text: odd(100_000) } }),
    ].map((ticket) => ticketSchema.parse(ticket))
    cache.onSnapshot('box', { headSeq: 5, tasks: [task], tickets })
    const inbox = ipcCalls['inbox.window'].output.parse(cache.inbox({ offset: 0, limit: 100 }))
    expect(inbox.rows).toHaveLength(3)
    expect(ipcCalls['task.window'].output.parse(cache.tasks({ offset: 0, limit: 100 })).rows).toHaveLength(1)
    for (const { id } of tickets) {
      const ticket = cache.ticket('box', id)
      expect(ipcCalls['ticket.get'].output.safeParse({ ticket, task, mayAnswer: true }).error).toBeUndefined()
    }
  })
})
