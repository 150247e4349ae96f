import type { Demo } from '../tasks/demo.ts'
import { createChangeFeed } from './changes.ts'
import type { DeskEvents } from './events.ts'
import { createTaskFetcher } from './fetch-tasks.ts'
import { watchHosts } from './host-watch.ts'
import type { DeskLogger } from './log.ts'
import { noticeOfHost } from './notices.ts'
import type { OpenServices } from './open-services.ts'
import { watchOutbox } from './outbox-watch.ts'
import { reconcileHost } from './reconcile.ts'
import type { HostViews } from './views.ts'

interface Needs {
  services: OpenServices
  events: DeskEvents
  views: HostViews
  demo: Pick<Demo, 'clean'>
  log: DeskLogger
}

/** What the wiring of changes gives back. */
export interface WiredChanges {
  /** Rises with each `desk.changed`. */
  revision(): number
  dispose(): void
}

/** Lets windows know what changed, and does what has to be done when hosts come back. */
export function wireChanges({ services, events, views, demo, log }: Needs): WiredChanges {
  const { cache, hosts, outbox, settings, results, terminals } = services
  let revision = 1
  const feed = createChangeFeed((tasks) => {
    revision += 1
    const changed = tasks === 'all' ? tasks : [...tasks]
    events.tell('desk.changed', { revision, counts: views.counts(), hosts: views.all(), tasks: changed })
  })
  const trouble = (sentence: string) => (error: unknown) => log.warn({ err: error }, sentence)
  const fetcher = createTaskFetcher({ cache, hosts, onBug: trouble('a task could not be asked for') })

  function onLive(host: string): void {
    outbox.flush(host)
    results.hostIsLive(host)
    reconcileHost({ host, call: hosts.call(host), cache, fetcher }).catch(
      trouble('a host could not be compared with what is kept of it'),
    )
    if (host === 'local') demo.clean().catch(trouble('old demo repositories could not be removed'))
  }

  const stops = [
    cache.onChange(({ tasks }) => feed.touch(tasks)),
    cache.onUnknownTask(fetcher.want),
    watchOutbox({ outbox, onChange: feed.touch, notify: (notice) => events.tell('desk.notice', notice) }),
    hosts.onNotice((...notice) => events.tell('desk.notice', noticeOfHost(...notice))),
    settings.onChange((now) => events.tell('settings.changed', now)),
    terminals.onData((data) => events.tell('terminal.data', data, terminals.windowOf(data.terminalId))),
    terminals.onState((terminalId, state, controlled) =>
      events.tell('terminal.state', { terminalId, state, controlled }, terminals.windowOf(terminalId)),
    ),
    watchHosts({ hosts, onChange: () => feed.touch(), onLive, onGone: (host) => cache.forget(host) }),
  ]
  forgetStrangers(services, trouble('the list of hosts could not be read'))
  return {
    revision: () => revision,
    dispose() {
      for (const stop of stops) stop()
      fetcher.dispose()
      feed.dispose()
    },
  }
}

/** What is kept of hosts that were removed while no desk ran goes; a list that cannot be read removes nothing. */
function forgetStrangers(
  { cache, hosts, store }: Pick<OpenServices, 'cache' | 'hosts' | 'store'>,
  onProblem: (error: unknown) => void,
): void {
  try {
    store.list()
  } catch (error) {
    return onProblem(error)
  }
  for (const host of cache.hosts()) if (hosts.get(host) === undefined) cache.forget(host)
}
