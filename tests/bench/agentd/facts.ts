// Durable facts per second through the engine's one door, against a bare loop of single commits with the same pragmas.
import path from 'node:path'
import Database from 'better-sqlite3'
import { configure } from '../../../agentd/store/open-database.ts'
import { openStore } from '../../../agentd/store/open-store.ts'
import { createFactLog } from '../../../agentd/tasks/fact-log.ts'
import { sampleTask } from '../../support/sample-facts.ts'
import { privateFacts, taskId } from '../../support/sample-store.ts'
import { withFolder } from '../support/agentd.ts'
import { median, report } from '../support/report.ts'

const ROUNDS = 7
const FACTS = 400

await withFolder(async (folder) => {
  const store = openStore({ path: path.join(folder, 'handoff.db') })
  const task = sampleTask({ id: taskId(1), state: 'running' })
  store.transaction(() => store.tasks.insert(task, privateFacts))
  const log = createFactLog({ store, now: Date.now })
  const bare = openBare(path.join(folder, 'bare.db'))
  let count = 0
  const fact = () => {
    const done = log.apply(task.id, {
      type: 'progress',
      body: { kind: 'tool', text: `step ${++count} of the plan` },
    })
    if (done.kind !== 'committed') throw new Error(`The fact was ${done.kind}.`)
  }
  const ours: number[] = []
  const bares: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    bares.push(perSecond(bare.insert))
    ours.push(perSecond(fact))
  }
  report({
    case: 'durable facts',
    unit: 'facts/s',
    value: median(ours),
    baseline: median(bares),
    goal: { of: 'ratio', atLeast: 0.6 },
  })
  bare.close()
  store.close()
})

function perSecond(work: () => void): number {
  const start = performance.now()
  for (let n = 0; n < FACTS; n++) work()
  return (FACTS / (performance.now() - start)) * 1000
}

function openBare(file: string) {
  const db = new Database(file)
  configure(db)
  db.exec('CREATE TABLE events (seq INTEGER PRIMARY KEY, task_id TEXT NOT NULL, json TEXT NOT NULL)')
  const statement = db.prepare('INSERT INTO events (task_id, json) VALUES (?, ?)')
  let count = 0
  const insert = () => {
    const body = { kind: 'tool', text: `step ${++count} of the plan` }
    const event = { seq: count, taskId: taskId(1), at: Date.now(), type: 'progress', body }
    statement.run(taskId(1), JSON.stringify(event))
  }
  return { insert, close: () => db.close() }
}
