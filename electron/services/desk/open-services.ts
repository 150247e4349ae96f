import { hostname } from 'node:os'
import path from 'node:path'
import { deskClientId } from '../../../shared/node/hosts/client-id.ts'
import { createDispatchedStore } from '../../../shared/node/hosts/dispatched.ts'
import { createHostStore } from '../../../shared/node/hosts/host-store.ts'
import { openCache } from '../cache/open-cache.ts'
import { createHostService } from '../hosts/host-service.ts'
import type { HostService, HostSink } from '../hosts/types.ts'
import { createJobs } from '../jobs/jobs.ts'
import { createOutbox, type OutboxOptions } from '../outbox/outbox.ts'
import { createSettingsService } from '../settings/settings.ts'
import { createBrought } from '../tasks/brought.ts'
import { createResults, type Results } from '../tasks/results.ts'
import { createPtyHost } from '../terminals/pty-host.ts'
import { createTerminalService } from '../terminals/terminal-service.ts'
import type { DeskEvents } from './events.ts'
import type { DeskLogger } from './log.ts'
import { noticeOfSync } from './notices.ts'
import { createDeskProblems, type DeskProblems } from './problems.ts'
import type { DeskNeeds } from './types.ts'

interface Needs {
  needs: DeskNeeds
  events: DeskEvents
  log: DeskLogger
}

/** The services that keep something, before anything is wired to them. */
export type OpenServices = ReturnType<typeof openServices>

/** Opens cache, settings, hosts, outbox, jobs and terminals of one home. */
export function openServices({ needs, events, log }: Needs) {
  const { home, environment, platform, installation } = needs
  const folder = path.join(home.root, 'desk')
  const clientId = deskClientId(home.root)
  const problem = (sentence: string) => (error: unknown) => log.warn({ err: error }, sentence)
  const settings = createSettingsService({
    path: path.join(folder, 'settings.json'),
    onProblem: ({ cause, ...about }) => log.warn({ err: cause, ...about }, 'the settings could not be read'),
  })
  const late: { results?: Results; resync?: () => void } = {}
  const cache = openCache({
    path: path.join(folder, 'cache.db'),
    clientId,
    onRebuilt: (rebuilt) => {
      log.warn(rebuilt, 'the cache began anew')
      events.tell('desk.notice', { code: 'cache_rebuilt' })
      // Not from within the call that met the damage: it may be one that keeps events.
      setImmediate(() => late.resync?.())
    },
  })
  const problems = createDeskProblems((all) => events.tell('desk.problems', { problems: all }))
  const store = createHostStore(home.root)
  const hosts = createHostService({
    home,
    environment,
    store,
    secrets: platform.secrets,
    shell: platform.shell,
    sink: hearingSink(cache, (host, heard) => late.results?.heard(host, heard)),
    clientId,
    machineName: hostname().slice(0, 200),
    version: installation.version,
    installation,
    onProblem: problem('something about the hosts did not work'),
    onList: (why) =>
      problems.set(
        'hosts_unreadable',
        why === undefined ? undefined : { path: path.join(home.root, 'hosts.json'), why },
      ),
  })
  const dispatched = createDispatchedStore(home.root)
  const results = createResults({
    cache,
    hosts,
    dispatched,
    brought: createBrought(home.root),
    onFailure: (failure) => {
      log.warn(
        { err: failure.error, host: failure.host, taskId: failure.taskId },
        'a result was not brought here',
      )
      events.tell('desk.notice', noticeOfSync(failure))
    },
    onBug: problem('bringing a result here failed by a bug'),
  })
  late.results = results
  late.resync = () => {
    for (const { name } of hosts.list()) hosts.resync(name)
  }
  const outbox = openOutbox({ path: path.join(folder, 'desk.db'), hosts, cache, problems, events, log })
  const jobs = createJobs({ publish: events.publish })
  const terminals = openTerminals(needs, hosts)
  return { clientId, settings, cache, store, hosts, dispatched, results, outbox, problems, jobs, terminals }
}

function openOutbox({
  path: file,
  hosts,
  cache,
  problems,
  events,
  log,
}: Pick<OutboxOptions, 'path' | 'hosts' | 'cache'> & {
  problems: DeskProblems
  events: DeskEvents
  log: DeskLogger
}) {
  return createOutbox({
    path: file,
    hosts,
    cache,
    onProblem(error) {
      log.warn({ err: error }, 'something about the answers that wait did not work')
      const aside = error.details?.['setAside']
      if (typeof aside === 'string') events.tell('desk.notice', { code: 'answers_set_aside', text: aside })
    },
    onKept: (why) =>
      problems.set('answers_not_kept', why === undefined ? undefined : { path: file, why: why.message }),
  })
}

function openTerminals({ platform, environment }: DeskNeeds, hosts: HostService) {
  const ptyHost = createPtyHost({ fork: platform.forkPtyHost })
  return createTerminalService({ hosts, ptyHost, environment, now: Date.now })
}

/** A sink that is told what it keeps a second time, when it is kept. */
function hearingSink(sink: HostSink, heard: Results['heard']): HostSink {
  return {
    resumePoint: (host) => sink.resumePoint(host),
    resumeMark: (host) => sink.resumeMark(host),
    onWelcome: (host, hostId) => sink.onWelcome(host, hostId),
    onSnapshotPart: (host, part) => sink.onSnapshotPart(host, part),
    onEvents(host, events) {
      sink.onEvents(host, events)
      heard(host, events)
    },
  }
}
