import type { InboxRow } from '../../shared/ipc/views.ts'
import { taskIdOf } from '../../shared/domain/ticket-id.ts'
import { routeTo, ticketRoute } from '../../shared/ipc/routes.ts'
import { rowsOf, type SectionSize } from './section-rows.ts'

/** What is open in the inbox: a ticket, or a task that something is wrong with (its id has no colon). */
export interface InboxPlace {
  host: string
  id: string
}

/** The part of a row that says which one it is. */
type RowId = Pick<InboxRow, 'host' | 'taskId' | 'ticketId'>
/** Rows that are here; undefined for those that are not yet. */
type RowAt = (index: number) => (RowId & Pick<InboxRow, 'outbox'>) | undefined

/** How far around its last place a row is looked for: what is farther away is not on the screen. */
const REACH = 300

/** The place that a row opens. */
export function placeOf(row: RowId): InboxPlace {
  return { host: row.host, id: row.ticketId ?? row.taskId }
}

/** Whether two places are the same one. */
export function isSame(one: InboxPlace | undefined, other: InboxPlace | undefined): boolean {
  return one !== undefined && other !== undefined && one.host === other.host && one.id === other.id
}

/** The place that a route's parts name. */
export function placeFrom(parts: readonly string[]): InboxPlace | undefined {
  const [host, id] = parts
  return host === undefined || id === undefined ? undefined : { host, id }
}

/** Whether a place is a ticket. */
export function isTicket(place: InboxPlace): boolean {
  return place.id.includes(':')
}

/** The route of a place. */
export function routeOfPlace({ host, id }: InboxPlace): string {
  const taskId = taskIdOf(id)
  return taskId !== id ? ticketRoute(host, { id, taskId }) : routeTo('inbox', host, id)
}

/** The number of the row of a place, looked for from where it was last. */
export function findRow(at: RowAt, place: InboxPlace, near: number): number | undefined {
  const is = (index: number) => {
    const row = index < 0 ? undefined : at(index)
    return row !== undefined && isSame(placeOf(row), place)
  }
  for (let distance = 0; distance <= REACH; distance += 1) {
    if (is(near - distance)) return near - distance
    if (is(near + distance)) return near + distance
  }
  return undefined
}

/**
 * What comes after a decision on `place`, whose row is `decided` where it is known: the next one of the same task that needs the
 * person, else the next one in the list, each from there on downwards and then from the top. Rows with an answer on its way
 * need nothing more.
 */
export function nextNeeding(
  at: RowAt,
  sections: readonly SectionSize[],
  { place, row: decided }: { place: InboxPlace; row: number | undefined },
): InboxPlace | undefined {
  const { from, to } = rowsOf(sections, 'needs_you')
  const count = Math.min(to - from, REACH)
  const first = decided !== undefined && decided >= from && decided < to ? decided + 1 : from
  const taskId = taskIdOf(place.id)
  let next: InboxPlace | undefined
  for (let step = 0; step < count; step += 1) {
    const row = at(from + ((first - from + step) % (to - from)))
    if (row === undefined || row.outbox !== undefined || isSame(placeOf(row), place)) continue
    if (row.host === place.host && row.taskId === taskId) return placeOf(row)
    next ??= placeOf(row)
  }
  return next
}
