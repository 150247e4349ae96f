import type { IpcParsed, SomeIpcHandlers } from '../../../shared/ipc.ts'
import type { hostCalls } from '../../../shared/ipc/host-calls.ts'
import { callAgain } from '../tasks/ask-host.ts'
import { inJob } from './in-job.ts'
import type { CallServices } from './services.ts'

const INFO_TIMEOUT_MS = 20_000

/** Calls about hosts. */
export function createHostHandlers(services: CallServices): SomeIpcHandlers<keyof typeof hostCalls> {
  const { hosts, installer, jobs, views } = services
  const info = ({ host, jobId }: IpcParsed<'host.info'>) =>
    inJob(jobs, jobId, (signal) =>
      callAgain({ hosts, host, name: 'host.info', input: {}, timeoutMs: INFO_TIMEOUT_MS, signal }),
    )
  return {
    'host.list': () => ({ hosts: views.hosts() }),
    'host.info': (input) => info(input),
    'host.executors': async (input) => ({ executors: (await info(input)).executors }),
    'host.suggest': async () => ({ names: (await installer.suggest()).slice(0, 500) }),
    'host.add': ({ name, address, token, sshConfig }) =>
      views.host(
        hosts.add({
          name,
          address,
          ...(token === undefined ? {} : { token }),
          ...(sshConfig === undefined ? {} : { sshConfig }),
        }).name,
      ),
    'host.remove': async ({ host }) => {
      await hosts.remove(host)
      services.cache.forget(host)
      return {}
    },
    'host.token': ({ host, token }) => {
      hosts.setToken(host, token ?? undefined)
      return views.host(host)
    },
    'host.pair': async ({ host }) => {
      await hosts.pair(host)
      return views.host(host)
    },
    'host.reload': () => {
      hosts.reload()
      return {}
    },
    'host.wake': ({ host }) => {
      hosts.wake(host)
      return {}
    },
    'host.install': ({ jobId, host, from }) => jobs.run(jobId, (job) => installer.install(host, from, job)),
    'host.uninstall': ({ jobId, host, withOpenTasks }) =>
      jobs.run(jobId, (job) => installer.uninstall(host, withOpenTasks, job)),
  }
}
