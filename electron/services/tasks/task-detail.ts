import type { Ticket } from '../../../shared/domain/ticket.ts'
import type { IpcOutput, IpcParsed } from '../../../shared/ipc.ts'
import type { CallOutput } from '../../../shared/protocol.ts'
import type { Cache } from '../cache/types.ts'
import type { HostService } from '../hosts/types.ts'
import type { Outbox } from '../outbox/types.ts'
import { AppError } from '../../../shared/errors.ts'
import { callAgain, isConnected, isConnectionTrouble, requireConnection } from './ask-host.ts'

const ASK_TIMEOUT_MS = 8_000
const HISTORY = 500
const MAX_TICKETS = 1_000
const MAX_OUTGOING = 100

interface Needs {
  cache: Pick<Cache, 'task' | 'ticketsOf' | 'put'>
  hosts: HostService
  outbox: Pick<Outbox, 'ofTask'>
}

/** One task with all that is known of it. */
export type TaskDetail = ReturnType<typeof createTaskDetail>

/** Reads tasks: from the host when it can be asked, else what is kept of them. */
export function createTaskDetail({ cache, hosts, outbox }: Needs) {
  async function ask(host: string, taskId: string): Promise<CallOutput<'task.get'> | undefined> {
    if (!isConnected(hosts, host)) return undefined
    try {
      const call = hosts.call(host)
      const found = await call(
        'task.get',
        { task: taskId, historyLimit: HISTORY },
        { timeoutMs: ASK_TIMEOUT_MS },
      )
      cache.put(host, found.task, found.tickets)
      return found
    } catch (error) {
      const slow = error instanceof AppError && error.code === 'timeout'
      if (slow || isConnectionTrouble(error)) return undefined
      throw error
    }
  }

  return {
    async get({ host, taskId }: IpcParsed<'task.get'>): Promise<IpcOutput<'task.get'>> {
      const found = await ask(host, taskId)
      const kept = cache.task(host, taskId)
      const outgoing = outbox.ofTask(host, taskId).slice(0, MAX_OUTGOING)
      if (found !== undefined)
        return {
          // An event that arrived while the host answered is newer than the answer.
          task: kept !== undefined && kept.lastSeq > found.task.lastSeq ? kept : found.task,
          fresh: true,
          plan: found.plan.slice(0, 600_000),
          tickets: bounded(cache.ticketsOf(host, taskId)),
          events: found.events.slice(-1_000),
          rounds: found.rounds.slice(-1_000),
          outbox: outgoing,
        }
      if (kept === undefined) {
        requireConnection(hosts, host)
        throw notKept(host)
      }
      return {
        task: kept,
        fresh: false,
        tickets: bounded(cache.ticketsOf(host, taskId)),
        events: [],
        rounds: [],
        outbox: outgoing,
      }
    },
    async events({
      host,
      taskId,
      afterSeq,
      limit,
    }: IpcParsed<'task.events'>): Promise<IpcOutput<'task.events'>> {
      return callAgain({ hosts, host, name: 'task.events', input: { task: taskId, afterSeq, limit } })
    },
  }
}

/** The newest tickets, and every open one whatever its age. */
function bounded(tickets: readonly Ticket[]): Ticket[] {
  if (tickets.length <= MAX_TICKETS) return [...tickets]
  const open = tickets.filter(({ state }) => state === 'open').slice(-MAX_TICKETS)
  const rest = tickets.filter(({ state }) => state !== 'open').slice(open.length - MAX_TICKETS)
  return [...(open.length === MAX_TICKETS ? [] : rest), ...open].sort((a, b) => a.openedSeq - b.openedSeq)
}

function notKept(host: string): AppError {
  return new AppError({
    code: 'timeout',
    message: `${host} did not answer in time, and nothing of this task is kept here.`,
    hint: 'Try again.',
  })
}
