import { basename } from 'node:path'
import { AppError } from '../../../shared/errors.ts'
import type { IpcOutput, SomeIpcHandlers } from '../../../shared/ipc.ts'
import type { deskCalls } from '../../../shared/ipc/desk-calls.ts'
import { callAgain } from '../tasks/ask-host.ts'
import { inJob } from './in-job.ts'
import type { CallServices } from './services.ts'

/** Calls about the desk itself. */
export function createDeskHandlers(services: CallServices): SomeIpcHandlers<keyof typeof deskCalls> {
  const { hosts, settings, notifications, opening, command, platform, jobs, views } = services
  return {
    'desk.state': () => views.state(),
    'desk.focus': (where, caller) => {
      services.focus(caller, where)
      return {}
    },
    'window.open': ({ route }) => {
      services.openWindow(route)
      return {}
    },
    'settings.change': ({ patch }) => settings.change(patch),
    'notification.test': () => notifications.test(),
    'notification.log': () => ({ records: notifications.records().slice(0, 500) }),
    'open.url': async ({ url }) => {
      await opening.url(url)
      return {}
    },
    'open.editor': (input) => opening.editor(input),
    'open.logs': () => opening.logs(),
    'command.status': () => command.status(),
    'command.install': () => command.install(),
    'command.remove': () => {
      command.remove()
      return {}
    },
    'session.list': (_, caller) => ({
      sessions: (platform.sessions?.list(caller.windowId) ?? []).slice(0, 100),
    }),
    'session.revoke': ({ id }) => {
      if (platform.sessions?.revoke(id) === true) return {}
      throw new AppError({
        code: 'token_not_found',
        message: 'This session is over already.',
        hint: 'Nothing needs to be done.',
      })
    },
    'rule.list': ({ host, jobId }) => inJob(jobs, jobId, (signal) => listRules(services, host, signal)),
    'rule.revoke': async ({ host, ruleId, jobId }) => {
      await inJob(jobs, jobId, (signal) =>
        callAgain({ hosts, host, name: 'rule.revoke', input: { ruleId }, signal }),
      )
      return {}
    },
    'audit.list': ({ host, taskId, beforeId, limit, jobId }) => {
      const input = {
        limit,
        ...(taskId === undefined ? {} : { task: taskId }),
        ...(beforeId === undefined ? {} : { beforeId }),
      }
      return inJob(jobs, jobId, (signal) => callAgain({ hosts, host, name: 'audit.list', input, signal }))
    },
    'job.cancel': ({ jobId }) => ({ found: jobs.cancel(jobId) }),
  }
}

async function listRules(
  { hosts, cache }: CallServices,
  host: string,
  signal: AbortSignal | undefined,
): Promise<IpcOutput<'rule.list'>> {
  const { rules } = await callAgain({ hosts, host, name: 'rule.list', input: {}, signal })
  return {
    rules: rules.map((rule) => {
      const name = rule.scope === 'task' ? cache.task(host, rule.target)?.title : basename(rule.target)
      return { ...rule, ...(name === undefined || name === '' ? {} : { targetName: name.slice(0, 200) }) }
    }),
  }
}
