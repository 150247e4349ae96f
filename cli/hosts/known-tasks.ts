import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { taskSchema, type Task } from '../../shared/domain/task.ts'
import { writePrivateFile } from './private-file.ts'

const fileSchema = z.object({ v: z.literal(1), at: z.number().int(), tasks: z.array(taskSchema).max(5_000) })

/** The last known tasks of each host, so that an unreachable host is still more than a name. */
export interface KnownTasks {
  load(host: string): { at: number; tasks: Task[] } | undefined
  save(host: string, tasks: readonly Task[]): void
}

/** Keeps `<home>/known-tasks/<host>.json`. A damaged file counts as none: it is only a copy. */
export function createKnownTasks(home: string): KnownTasks {
  const pathOf = (host: string) => join(home, 'known-tasks', `${host}.json`)
  return {
    load(host) {
      try {
        const parsed = fileSchema.safeParse(JSON.parse(readFileSync(pathOf(host), 'utf8')))
        return parsed.success ? parsed.data : undefined
      } catch (error) {
        if (error instanceof SyntaxError || (error instanceof Error && 'code' in error)) return undefined
        throw error
      }
    },
    save(host, tasks) {
      writePrivateFile(pathOf(host), JSON.stringify({ v: 1, at: Date.now(), tasks: tasks.slice(0, 5_000) }))
    },
  }
}
