import { languageFor } from '../../../shared/ipc/language.ts'
import type { Settings } from '../../../shared/ipc/settings.ts'
import type { Cache } from '../cache/types.ts'
import type { HostService } from '../hosts/types.ts'
import type { Outbox } from '../outbox/types.ts'
import { createOutages, toldOutages } from './outages.ts'
import type { AttentionInput } from './types.ts'

/** Where attention looks. */
export interface Sources {
  cache: Pick<Cache, 'openTickets' | 'troubled' | 'counts'>
  hosts: Pick<HostService, 'list'>
  outbox: Pick<Outbox, 'list'>
  settings: { get(): Settings }
  /** BCP 47; decides the language when the person left it to the system. */
  systemLocale: string
  now: () => number
  /** What was told before this start, so that an outage that goes on is no new one. */
  memory: AttentionInput['memory']
}

/** Reads the state of everything for one look. */
export function createInputReader({ cache, hosts, outbox, settings, systemLocale, now, memory }: Sources) {
  const outages = createOutages(toldOutages(memory))
  return function read(rest: Pick<AttentionInput, 'memory' | 'visible' | 'startedAt'>): AttentionInput {
    const { notifications, language } = settings.get()
    const known = hosts.list()
    const away = outages(known)
    const counts = new Map(known.map(({ name }) => [name, cache.counts(name)]))
    const at = now()
    return {
      ...rest,
      now: at,
      minuteOfDay: minuteOf(at),
      language: languageFor(language, systemLocale),
      settings: { notifications },
      open: cache.openTickets(),
      troubled: cache.troubled(),
      hosts: known.map(({ name, role }) => ({
        name,
        isOffline: away.has(name),
        since: away.get(name) ?? 0,
        openTasks: counts.get(name)?.open ?? 0,
        mayAnswer: role === undefined || role === 'user',
      })),
      running: [...counts.values()].reduce((sum, { running }) => sum + running, 0),
      answeredHere: onTheirWay(outbox),
    }
  }
}

function minuteOf(at: number): number {
  const date = new Date(at)
  return date.getHours() * 60 + date.getMinutes()
}

/** An answer that failed for good is none: the person must decide again. */
function onTheirWay(outbox: Pick<Outbox, 'list'>): ReadonlySet<string> {
  return new Set(
    outbox
      .list()
      .flatMap(({ host, ticketId, state }) =>
        ticketId === undefined || state === 'failed' ? [] : [`${host}/${ticketId}`],
      ),
  )
}
