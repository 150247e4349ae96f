import { ticketRoute, taskRoute } from '../../../shared/ipc/routes.ts'
import type { IpcEvent } from '../../../shared/ipc.ts'
import type { Decision, OutboxEntry } from '../../../shared/ipc/work-calls.ts'
import { assertNever } from '../../../shared/errors.ts'
import type { HostService } from '../hosts/types.ts'
import type { SyncFailure } from '../tasks/results.ts'

type Notice = IpcEvent<'desk.notice'>

/** What the window says when an answer that was kept here has reached its end. */
export function noticeOfOutcome(
  { host, taskId, ticketId }: Pick<OutboxEntry, 'host' | 'taskId' | 'ticketId'>,
  decision: Decision,
): Notice | undefined {
  const route = ticketId === undefined ? taskRoute(host, taskId) : ticketRoute(host, { id: ticketId, taskId })
  switch (decision.kind) {
    case 'applied':
      return { code: 'answer_delivered', host, route }
    case 'already_answered':
      return { code: 'answer_too_late', host, route }
    case 'expired':
      return { code: 'answer_expired', host, route }
    case 'queued':
      return undefined
    default:
      return assertNever(decision)
  }
}

/** What the window says of an answer that the host refused. */
export function noticeOfFailure({ host, taskId, ticketId, error }: OutboxEntry): Notice {
  const route = ticketId === undefined ? taskRoute(host, taskId) : ticketRoute(host, { id: ticketId, taskId })
  return {
    code: 'answer_failed',
    host,
    route,
    ...(error === undefined ? {} : { text: error.message.slice(0, 1_000) }),
  }
}

/** What the window says of a result that could not be brought here. */
export function noticeOfSync({ host, taskId, error }: SyncFailure): Notice {
  return {
    code: 'sync_failed',
    host,
    route: taskRoute(host, taskId),
    text: `${error.message}${error.hint === undefined ? '' : ` ${error.hint}`}`.slice(0, 1_000),
  }
}

const hostCodes = {
  user_token_created: 'user_token_created',
  stopping: 'host_stopping',
  disk_full: 'host_disk_full',
} as const

/** What the window says of something that a host told everybody. */
export function noticeOfHost(
  ...[host, code, text]: Parameters<Parameters<HostService['onNotice']>[0]>
): Notice {
  return { code: hostCodes[code], host, text: text.slice(0, 1_000) }
}
