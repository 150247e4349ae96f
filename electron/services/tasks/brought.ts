import { join } from 'node:path'
import { z } from 'zod'
import { readDispensable, writePrivateFile } from '../../../shared/node/private-file.ts'

const schema = z.object({
  v: z.literal(1),
  /** The commit that was brought last; null for a task that was dispatched and has no result yet. */
  commits: z.record(z.uuid(), z.string().max(64).nullable()),
})

const MAX_TASKS = 2_000

/** Which results were brought back to this machine (`<home>/desk/results.json`), so that none is missed or brought twice. */
export interface Brought {
  /** Undefined for a task that this desk never waited for. */
  get(taskId: string): string | null | undefined
  set(taskId: string, commit: string | null): void
  /** Tasks whose results are waited for or were brought. */
  taskIds(): string[]
}

/** Opens the record of one home; a damaged file counts as empty. Read at every call, since two desks may share a home. */
export function createBrought(home: string): Brought {
  const path = join(home, 'desk', 'results.json')
  const read = () => readDispensable(path, schema)?.commits ?? {}
  return {
    get: (taskId) => read()[taskId],
    set(taskId, commit) {
      const { [taskId]: _old, ...others } = read()
      const kept = Object.entries(others).slice(1 - MAX_TASKS)
      writePrivateFile(
        path,
        JSON.stringify({ v: 1, commits: Object.fromEntries([...kept, [taskId, commit]]) }),
      )
    },
    taskIds: () => Object.keys(read()),
  }
}
