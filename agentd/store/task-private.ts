import type Database from 'better-sqlite3'
import type { Store, TaskPrivate } from './store.ts'

interface Row {
  plan: string
  model: string | null
  keepWorktree: number
  adapterState: string
  cleaned: number
  stopRequested: number
}

/** What agentd keeps about a task for itself, and the commits of its rounds. */
export function createTaskPrivate(db: Database.Database) {
  const insertPlan = db.prepare('INSERT INTO plans (task_id, plan) VALUES (?, ?)')
  const updatePlan = db.prepare('UPDATE plans SET plan = ? WHERE task_id = ?')
  const insert = db.prepare(
    `INSERT INTO task_private
       (task_id, model, keep_worktree, adapter_state, cleaned, stop_requested)
     VALUES (@taskId, @model, @keepWorktree, @adapterState, @cleaned, @stopRequested)`,
  )
  const update = db.prepare(
    `UPDATE task_private SET model = @model, keep_worktree = @keepWorktree, adapter_state = @adapterState,
       cleaned = @cleaned, stop_requested = @stopRequested
     WHERE task_id = @taskId`,
  )
  const selectState = db
    .prepare<[string], string>('SELECT adapter_state FROM task_private WHERE task_id = ?')
    .pluck()
  const updateState = db.prepare('UPDATE task_private SET adapter_state = ? WHERE task_id = ?')
  const select = db.prepare<[string], Row>(
    `SELECT plan, model, keep_worktree AS keepWorktree, adapter_state AS adapterState,
       cleaned, stop_requested AS stopRequested
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
      update.run(parametersOf(taskId, { ...get(taskId), ...change }))
      if (change.plan !== undefined) updatePlan.run(change.plan, taskId)
    },
    // Read and written with every few facts of an executor; a large plan must not be read along.
    adapterState(taskId: string): Record<string, unknown> {
      return JSON.parse(selectState.get(taskId) ?? '{}') as Record<string, unknown>
    },
    saveAdapterState(taskId: string, value: Record<string, unknown>): void {
      updateState.run(JSON.stringify(value), taskId)
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
    cleaned: priv.cleaned ? 1 : 0,
    stopRequested: priv.stopRequested ? 1 : 0,
  }
}
