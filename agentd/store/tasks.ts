import type Database from 'better-sqlite3'
import { isOver, taskStateSchema, type Task } from '../../shared/domain/task.ts'
import type { Store } from './store.ts'
import { createTaskPrivate } from './task-private.ts'

const openStates = taskStateSchema.options.filter((state) => !isOver(state))
const AFTER_EVERY_ID = '\u{10ffff}'

/** Tasks, newest first in lists. */
export function createTasks(db: Database.Database): Store['tasks'] {
  const priv = createTaskPrivate(db)
  const insert = db.prepare(
    'INSERT INTO tasks (id, state, over, created_at, ended_at, task) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const update = db.prepare('UPDATE tasks SET task = ? WHERE id = ? AND state = ?')
  const updateState = db.prepare('UPDATE tasks SET state = ?, over = ?, ended_at = ?, task = ? WHERE id = ?')
  const json = (sql: string) => db.prepare<unknown[], string>(sql).pluck()
  const select = json('SELECT task FROM tasks WHERE id = ?')
  const selectByPrefix = json('SELECT task FROM tasks WHERE id >= ? AND id < ? ORDER BY id LIMIT ?')
  const selectOpen = json('SELECT task FROM tasks WHERE over = 0 ORDER BY created_at, id')
  const selectUncleaned = json(
    `SELECT task FROM task_private JOIN tasks ON tasks.id = task_private.task_id
     WHERE task_private.cleaned = 0 AND tasks.over = 1`,
  )
  const countOpen = db.prepare<[], number>('SELECT count(*) FROM tasks WHERE over = 0').pluck()
  const selectCreatedAt = db.prepare<[string], number>('SELECT created_at FROM tasks WHERE id = ?').pluck()
  const page = db.prepare<[string, number, string, number], { id: string; createdAt: number }>(
    `SELECT id, created_at AS createdAt FROM tasks WHERE state = ? AND (created_at, id) < (?, ?)
     ORDER BY created_at DESC, id DESC LIMIT ?`,
  )
  const parse = (text: string) => JSON.parse(text) as Task

  function get(taskId: string): Task | undefined {
    const text = select.get(taskId)
    return text === undefined ? undefined : parse(text)
  }

  return {
    insert(task, privately) {
      const over = isOver(task.state) ? 1 : 0
      insert.run(task.id, task.state, over, task.createdAt, task.endedAt ?? null, JSON.stringify(task))
      priv.insert(task.id, privately)
    },
    save(task) {
      const text = JSON.stringify(task)
      // Most facts leave the state alone, and then no index has to be touched.
      if (update.run(text, task.id, task.state).changes > 0) return
      const over = isOver(task.state) ? 1 : 0
      const saved = updateState.run(task.state, over, task.endedAt ?? null, text, task.id)
      if (saved.changes === 0) throw new Error(`Task ${task.id} was saved before it was inserted.`)
    },
    get,
    find: (prefix, limit) => selectByPrefix.all(prefix, prefix + AFTER_EVERY_ID, limit).map(parse),
    list({ over, states, limit, beforeId }) {
      const wanted = states ?? (over ? taskStateSchema.options : openStates)
      const beforeAt = beforeId === undefined ? Number.MAX_SAFE_INTEGER : selectCreatedAt.get(beforeId)
      if (beforeAt === undefined) return []
      const rows = [...new Set(wanted)]
        .filter((state) => over || !isOver(state))
        .flatMap((state) => page.all(state, beforeAt, beforeId ?? '', limit))
      rows.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
      return rows
        .slice(0, limit)
        .map(({ id }) => get(id))
        .filter((task) => task !== undefined)
    },
    open: () => selectOpen.all().map(parse),
    uncleaned: () => selectUncleaned.all().map(parse),
    private: priv.get,
    savePrivate: priv.save,
    adapterState: priv.adapterState,
    saveAdapterState: priv.saveAdapterState,
    round: priv.round,
    rounds: priv.rounds,
    countOpen: () => countOpen.get() ?? 0,
  }
}
