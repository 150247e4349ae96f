import type Database from 'better-sqlite3'
import { isOver, taskStateSchema, type TaskState } from '../../../shared/domain/task.ts'
import type { InboxRow } from '../../../shared/ipc/views.ts'
import { sections, taskRow } from './lines.ts'
import { parseTask } from './rows.ts'
import type { Cache, HostCounts } from './types.ts'

type InboxQuery = Parameters<Cache['inbox']>[0]
type TasksQuery = Parameters<Cache['tasks']>[0]

const MAX_WORDS = 8
/** How many filtered lists are kept until something changes. */
const MAX_LISTS = 8
const overStates: ReadonlySet<string> = new Set(taskStateSchema.options.filter(isOver))
const atWork: ReadonlySet<string> = new Set<TaskState>(['pending', 'submitted', 'running'])

/**
 * Parts of long lists. Without a text they are read straight from an index; with one, the ids that fit are looked up once
 * and kept until `forget` is called, so that scrolling costs no search.
 */
export function createWindows(db: Database.Database) {
  const lists = new Map<string, { section: number; ids: number[] }[]>()
  const statements = new Map<string, Database.Statement>()
  const selectCounts = db.prepare<[], { host: string; what: string; n: number }>(
    'SELECT host, what, n FROM counts WHERE n <> 0',
  )
  const selectLines = db.prepare<[string], { id: number; line: string }>(
    'SELECT id, line FROM inbox WHERE id IN (SELECT value FROM json_each(?))',
  )
  const selectTasks = db.prepare<[string], { id: number; host: string; task: string }>(
    'SELECT id, host, task FROM tasks WHERE id IN (SELECT value FROM json_each(?))',
  )
  let counted: { host: string; what: string; n: number }[] | undefined

  const prepare = (sql: string): Database.Statement => {
    const known = statements.get(sql)
    if (known) return known
    const made = db.prepare(sql)
    statements.set(sql, made)
    return made
  }
  const ids = (sql: string, values: unknown[]) =>
    prepare(sql)
      .pluck()
      .all(...values) as number[]

  function count(host: string | undefined, wanted: (what: string) => boolean): number {
    counted ??= selectCounts.all()
    let sum = 0
    for (const row of counted) if ((host === undefined || row.host === host) && wanted(row.what)) sum += row.n
    return sum
  }

  function keep(key: string, make: () => { section: number; ids: number[] }[]) {
    const known = lists.get(key)
    if (known) return known
    const made = make()
    const oldest = lists.keys().next()
    if (lists.size >= MAX_LISTS && oldest.done !== true) lists.delete(oldest.value)
    lists.set(key, made)
    return made
  }

  function searchInbox({ host, words }: { host: string | undefined; words: string[] }) {
    return keep(JSON.stringify(['inbox', host, words]), () => {
      const filter = [...(host === undefined ? [] : ['host = ?']), ...words.map(() => 'instr(search, ?) > 0')]
      const found = prepare(
        `SELECT section, id FROM inbox WHERE ${filter.join(' AND ')} ORDER BY section, sort, host, id`,
      ).all(...(host === undefined ? [] : [host]), ...words) as { section: number; id: number }[]
      return sections.map((_, section) => ({
        section,
        ids: found.filter((one) => one.section === section).map(({ id }) => id),
      }))
    })
  }

  function inbox({ host, text, section, offset, limit }: InboxQuery): ReturnType<Cache['inbox']> {
    const words = wordsOf(text)
    const wanted = section === undefined ? sections.map((_, index) => index) : [sections.indexOf(section)]
    const found = words.length === 0 ? undefined : searchInbox({ host, words })
    const countOf = (index: number) =>
      found ? (found[index]?.ids.length ?? 0) : count(host, (what) => what === String(index))
    const counts = wanted.map((index) => ({ index, count: countOf(index) })).filter((one) => one.count > 0)
    // Section by section, so that no section that lies before the window has to be walked through.
    const picked: number[] = []
    let skip = offset
    for (const one of counts) {
      const room = limit - picked.length
      if (room > 0 && skip < one.count)
        picked.push(
          ...(found
            ? (found[one.index]?.ids ?? []).slice(skip, skip + room)
            : sectionIds(host, one.index, { skip, room })),
        )
      skip = Math.max(0, skip - one.count)
    }
    const lines = new Map(selectLines.all(JSON.stringify(picked)).map(({ id, line }) => [id, line]))
    return {
      total: counts.reduce((sum, one) => sum + one.count, 0),
      sections: counts.flatMap(({ index, count: n }) => {
        const name = sections[index]
        return name === undefined ? [] : [{ section: name, count: n }]
      }),
      rows: picked.flatMap((id) => {
        const line = lines.get(id)
        return line === undefined ? [] : [JSON.parse(line) as Omit<InboxRow, 'outbox'>]
      }),
    }
  }

  function sectionIds(
    host: string | undefined,
    section: number,
    { skip, room }: { skip: number; room: number },
  ) {
    const only = host === undefined ? '' : 'AND host = ?'
    return ids(
      `SELECT id FROM inbox INDEXED BY inbox_order WHERE section = ? ${only} ORDER BY sort, host, id LIMIT ? OFFSET ?`,
      [section, ...(host === undefined ? [] : [host]), room, skip],
    )
  }

  function tasks({ host, text, states, offset, limit }: TasksQuery): ReturnType<Cache['tasks']> {
    const words = wordsOf(text)
    const filter = [
      ...(host === undefined ? [] : ['host = ?']),
      ...words.map(() => 'instr(search, ?) > 0'),
      ...(states === undefined ? [] : [`state IN (${states.map(() => '?').join(', ')})`]),
    ]
    const values = [...(host === undefined ? [] : [host]), ...words, ...(states ?? [])]
    const where = filter.length === 0 ? '' : `WHERE ${filter.join(' AND ')}`
    const index = words.length === 0 ? 'tasks_newest' : 'tasks_search'
    const sql = `SELECT id FROM tasks INDEXED BY ${index} ${where} ORDER BY created_at DESC, id DESC`
    const found =
      words.length === 0
        ? undefined
        : keep(JSON.stringify(['tasks', sql, values]), () => [{ section: 0, ids: ids(sql, values) }])[0]?.ids
    const picked = found
      ? found.slice(offset, offset + limit)
      : ids(`${sql} LIMIT ? OFFSET ?`, [...values, limit, offset])
    const rows = new Map(selectTasks.all(JSON.stringify(picked)).map((row) => [row.id, row]))
    const isWanted = (what: string) => isState(what) && (states === undefined || states.includes(what))
    return {
      total: found ? found.length : count(host, isWanted),
      rows: picked.flatMap((id) => {
        const row = rows.get(id)
        return row ? [taskRow(row.host, parseTask(row.task, null))] : []
      }),
    }
  }

  return {
    inbox,
    tasks,
    counts(host: string): HostCounts {
      const inSection = (section: number) => count(host, (what) => what === String(section))
      return {
        needsYou: inSection(0),
        reviewer: inSection(1),
        toReview: inSection(2),
        offline: inSection(3),
        running: count(host, (what) => atWork.has(what)),
        open: count(host, (what) => isState(what) && !overStates.has(what)),
      }
    },
    /** Something changed: what was looked up before no longer counts. */
    forget(): void {
      lists.clear()
      counted = undefined
    },
  }
}

const stateNames: ReadonlySet<string> = new Set(taskStateSchema.options)
const isState = (what: string) => stateNames.has(what)

function wordsOf(text: string | undefined): string[] {
  const words = (text ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  return [...new Set(words)].slice(0, MAX_WORDS)
}
