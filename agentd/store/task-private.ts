import type Database from 'better-sqlite3'
import type { Store, TaskPrivate } from './store.ts'

interface Row {
  plan: string
  model: string | null
  keepWorktree: number
  adapterState: string
  lastActivityAt: number
  cleaned: number
  stopRequested: number
}

/** What agentd keeps about a task for itself, and the commits of its rounds. */
export function createTaskPrivate(db: Database.Database) {
  const insertPlan = db.prepare('INSERT INTO plans (task_id, plan) VALUES (?, ?)')
  const updatePlan = db.prepare('UPDATE plans SET plan = ? WHERE task_id = ?')
  const insert = db.prepare(
    `INSERT INTO task_private
       (task_id, model, keep_worktree, adapter_state, last_activity_at, cleaned, stop_requested)
     VALUES (@taskId, @model, @keepWorktree, @adapterState, @lastActivityAt, @cleaned, @stopRequested)`,
  )
  const update = db.prepare(
    `UPDATE task_private SET model = @model, keep_worktree = @keepWorktree, adapter_state = @adapterState,
       last_activity_at = @lastActivityAt, cleaned = @cleaned, stop_requested = @stopRequested
     WHERE task_id = @taskId`,
  )
  const updateActivity = db.prepare('UPDATE task_private SET last_activity_at = ? WHERE task_id = ?')
  const select = db.prepare<[string], Row>(
    `SELECT plan, model, keep_worktree AS keepWorktree, adapter_state AS adapterState,
       last_activity_at AS lastActivityAt, cleaned, stop_requested AS stopRequested
     FROM task_private JOIN plans USING (task_id) WHERE task_id = ?`,
  )
  const upsertRound = db.prepare(
    `INSERT INTO rounds (task_id, round, from_commit, to_commit, summary) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (task_id, round) DO UPDATE
     SET from_commit = excluded.from_commit, to_commit = excluded.to_commit, summary = excluded.summary`,
  )
  const selectRounds = db.prepare<[string], ReturnType<Store['tasks']['rounds']>[number]>(
    `SELECT round, from_commit AS "from", to_commit AS "to", summary FROM rounds
     WHERE task_id = ? ORDER BY round`,
  )

  function get(taskId: string): TaskPrivate {
    const row = select.get(taskId)
    if (!row) throw new Error(`Nothing is kept about task ${taskId}.`)
    return {
      plan: row.plan,
      model: row.model ?? undefined,
      keepWorktree: row.keepWorktree === 1,
      adapterState: JSON.parse(row.adapterState) as Record<string, unknown>,
      lastActivityAt: row.lastActivityAt,
      cleaned: row.cleaned === 1,
      stopRequested: row.stopRequested === 1,
    }
  }

  return {
    insert(taskId: string, priv: TaskPrivate): void {
      insertPlan.run(taskId, priv.plan)
      insert.run(parametersOf(taskId, priv))
    },
    get,
    save(taskId: string, change: Partial<TaskPrivate>): void {
      const names = Object.keys(change)
      // The watchdog's clock moves with every fact; it must not cost reading the plan.
      if (names.length === 1 && change.lastActivityAt !== undefined) {
        updateActivity.run(change.lastActivityAt, taskId)
        return
      }
      update.run(parametersOf(taskId, { ...get(taskId), ...change }))
      if (change.plan !== undefined) updatePlan.run(change.plan, taskId)
    },
    round(...round: Parameters<Store['tasks']['round']>): void {
      upsertRound.run(...round)
    },
    rounds: (taskId: string) => selectRounds.all(taskId),
  }
}

function parametersOf(taskId: string, priv: TaskPrivate) {
  return {
    taskId,
    model: priv.model ?? null,
    keepWorktree: priv.keepWorktree ? 1 : 0,
    adapterState: JSON.stringify(priv.adapterState),
    lastActivityAt: priv.lastActivityAt,
    cleaned: priv.cleaned ? 1 : 0,
    stopRequested: priv.stopRequested ? 1 : 0,
  }
}
