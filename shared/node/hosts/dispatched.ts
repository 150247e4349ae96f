import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readDispensable, writePrivateFile } from '../private-file.ts'

const recordSchema = z.object({
  v: z.literal(1),
  taskId: z.uuid(),
  host: z.string().max(100),
  /** The repository that results return to. */
  repoPath: z.string().max(4_096),
  /** As the host named it at dispatch. */
  branch: z.string().max(1_000).optional(),
  at: z.number().int(),
})
/** Where one task was dispatched from. */
export type Dispatched = z.infer<typeof recordSchema>

/** Where tasks were dispatched from (`<home>/dispatched/<taskId>.json`), so that their results find the way back. */
export function createDispatchedStore(home: string) {
  const folder = join(home, 'dispatched')
  const pathOf = (taskId: string) => join(folder, `${taskId}.json`)
  const load = (taskId: string): Dispatched | undefined => readDispensable(pathOf(taskId), recordSchema)
  return {
    load,
    save(record: Omit<Dispatched, 'v' | 'at'>): void {
      writePrivateFile(pathOf(record.taskId), JSON.stringify({ v: 1, at: Date.now(), ...record }))
    },
    remove(taskId: string): void {
      rmSync(pathOf(taskId), { force: true })
    },
    /** Tasks whose id begins with `prefix`. */
    find(prefix: string): Dispatched[] {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      return readdirSync(folder)
        .filter((file) => file.startsWith(prefix) && file.endsWith('.json'))
        .flatMap((file) => load(file.slice(0, -'.json'.length)) ?? [])
    },
  }
}
