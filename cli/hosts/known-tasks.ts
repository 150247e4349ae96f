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
  /** Adds one task that was just seen; the others stay as old as they are. */
  note(host: string, task: Task): void
}

/** Keeps `<home>/known-tasks/<host>.json`. A damaged file counts as none: it is only a copy. */
export function createKnownTasks(home: string): KnownTasks {
  const pathOf = (host: string) => join(home, 'known-tasks', `${host}.json`)
  const load: KnownTasks['load'] = (host) => {
    try {
      const parsed = fileSchema.safeParse(JSON.parse(readFileSync(pathOf(host), 'utf8')))
      return parsed.success ? parsed.data : undefined
    } catch (error) {
      if (error instanceof SyntaxError || (error instanceof Error && 'code' in error)) return undefined
      throw error
    }
  }
  const write = (host: string, at: number, tasks: readonly Task[]) =>
    writePrivateFile(pathOf(host), JSON.stringify({ v: 1, at, tasks: tasks.slice(0, 5_000) }))
  return {
    load,
    save: (host, tasks) => write(host, Date.now(), tasks),
    note(host, task) {
      const known = load(host)
      const others = known?.tasks.filter((one) => one.id !== task.id) ?? []
      write(host, known?.at ?? Date.now(), [task, ...others])
    },
  }
}
