import type Database from 'better-sqlite3'
import type { Actor } from '../../shared/domain/actor.ts'
import type { Rule } from '../../shared/protocol/records.ts'
import type { Store } from './store.ts'

interface Row extends Omit<Rule, 'createdBy' | 'lastHitAt'> {
  createdBy: string
  lastHitAt: number | null
}

const columns = `id, scope, target, action, pattern, created_at AS createdAt, created_by AS createdBy, hits,
  last_hit_at AS lastHitAt`

/** Remembered approvals. */
export function createRules(db: Database.Database): Store['rules'] {
  const insert = db.prepare(
    `INSERT INTO rules (id, scope, target, action, pattern, created_at, created_by, hits, last_hit_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const selectFor = db.prepare<[string, string], Row>(
    `SELECT ${columns} FROM rules WHERE (scope = 'task' AND target = ?) OR (scope = 'repo' AND target = ?)`,
  )
  const selectAll = db.prepare<[], Row>(`SELECT ${columns} FROM rules ORDER BY created_at, id`)
  const select = db.prepare<[string], Row>(`SELECT ${columns} FROM rules WHERE id = ?`)
  const selectSame = db.prepare<[string, string, string, string], Row>(
    `SELECT ${columns} FROM rules WHERE scope = ? AND target = ? AND action = ? AND pattern = ?`,
  )
  const remove = db.prepare('DELETE FROM rules WHERE id = ?')
  const hit = db.prepare('UPDATE rules SET hits = hits + 1, last_hit_at = ? WHERE id = ?')

  return {
    add(rule) {
      const { id, scope, target, action, pattern, createdAt, hits } = rule
      const by = JSON.stringify(rule.createdBy)
      insert.run(id, scope, target, action, pattern, createdAt, by, hits, rule.lastHitAt ?? null)
    },
    for: (taskId, repoKey) => selectFor.all(taskId, repoKey).map(ruleOf),
    list: () => selectAll.all().map(ruleOf),
    get(id) {
      const row = select.get(id)
      return row ? ruleOf(row) : undefined
    },
    remove(id) {
      remove.run(id)
    },
    hit(id, at) {
      hit.run(at, id)
    },
    findSame(scope, target, action, pattern) {
      const row = selectSame.get(scope, target, action, pattern)
      return row ? ruleOf(row) : undefined
    },
  }
}

function ruleOf({ lastHitAt, createdBy, ...row }: Row): Rule {
  return {
    ...row,
    createdBy: JSON.parse(createdBy) as Actor,
    ...(lastHitAt === null ? {} : { lastHitAt }),
  }
}
