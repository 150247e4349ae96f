import type { InboxRow } from '../../../shared/ipc/views.ts'
import type { SomeIpcHandlers } from '../../../shared/ipc.ts'
import type { workCalls } from '../../../shared/ipc/work-calls.ts'
import type { Outbox } from '../outbox/types.ts'
import { listFolders } from '../tasks/folders.ts'
import { inJob } from './in-job.ts'
import type { CallServices } from './services.ts'

/** Calls about tickets and tasks. */
export function createWorkHandlers(services: CallServices): SomeIpcHandlers<keyof typeof workCalls> {
  const { cache, outbox, tickets, detail, decisions, jobs, platform } = services
  return {
    'inbox.window': (query) => {
      const { total, sections, rows } = cache.inbox(query)
      return { total, sections, rows: rows.map((row) => withOutbox(row, outbox)) }
    },
    'task.window': (query) => cache.tasks(query),
    'ticket.get': (at) => tickets.get(at),
    'ticket.answer': (input) => tickets.answer(input),
    'ticket.rulePreview': (at) => inJob(jobs, at.jobId, (signal) => tickets.rulePreview(at, signal)),
    'outbox.list': () => ({ entries: outbox.list().slice(0, 1_000) }),
    'outbox.discard': ({ id }) => ({ discarded: outbox.discard(id) }),
    'task.get': (at) => detail.get(at),
    'task.events': (input) => detail.events(input),
    'task.continue': (input) => decisions.continueTask(input),
    'task.done': (input) => inJob(jobs, input.jobId, (signal) => decisions.done(input, signal)),
    'task.cancel': (input) => inJob(jobs, input.jobId, (signal) => decisions.cancel(input, signal)),
    'task.repair': (input) => inJob(jobs, input.jobId, (signal) => decisions.repair(input, signal)),
    'task.diff': (input) => services.diff(input),
    'task.run': (input) => services.run(input),
    'task.check': (input) => services.check(input),
    'task.dispatch': (input) => services.dispatch(input),
    'demo.start': () => services.demo.start(),
    'repo.recent': async () => ({ paths: (await services.demo.without(cache.repositories())).slice(0, 50) }),
    'folder.list': ({ path }) => listFolders(path, services.environment),
    'folder.pick': async () => {
      const path = await platform.pickFolder?.()
      return path === undefined ? {} : { path }
    },
  }
}

/** A row with where the person's own answer to it stands. */
function withOutbox(row: Omit<InboxRow, 'outbox'>, outbox: Pick<Outbox, 'of'>): InboxRow {
  const entry = row.ticketId === undefined ? undefined : outbox.of(row.host, row.ticketId)
  return entry === undefined ? row : { ...row, outbox: entry.state }
}
