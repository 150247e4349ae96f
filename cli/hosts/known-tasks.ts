import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { taskSchema, type Task } from '../../shared/domain/task.ts'
import { readDispensable, writePrivateFile } from '../../shared/node/private-file.ts'

const MAX_TASKS = 5_000

const fileSchema = z.object({
  v: z.literal(1),
  at: z.number().int(),
  tasks: z.array(taskSchema).max(MAX_TASKS),
  /** Tasks that were seen alone, after the list. */
  seen: z.record(z.string().max(64), z.number().int()).default({}),
})

/** The last known tasks of each host, so that an unreachable host is still more than a name. */
export interface KnownTasks {
  /** The tasks, the time of the last whole list, and for one task when it was seen. */
  load(host: string): { at: number; tasks: Task[]; seenAt(taskId: string): number } | undefined
  save(host: string, tasks: readonly Task[]): void
  /** Adds one task that was just seen; the others stay as old as they are. */
  note(host: string, task: Task): void
  /** Of a host that was removed. */
  forget(host: string): void
}

/** Keeps `<home>/known-tasks/<host>.json`. A damaged file counts as none: it is only a copy. */
export function createKnownTasks(home: string): KnownTasks {
  const pathOf = (host: string) => join(home, 'known-tasks', `${host}.json`)
  const read = (host: string) => readDispensable(pathOf(host), fileSchema)
  const write = (host: string, file: Omit<z.input<typeof fileSchema>, 'v'>) =>
    writePrivateFile(pathOf(host), JSON.stringify({ v: 1, ...file, tasks: file.tasks.slice(0, MAX_TASKS) }))
  return {
    load(host) {
      const file = read(host)
      if (file === undefined) return undefined
      return { at: file.at, tasks: file.tasks, seenAt: (taskId) => file.seen[taskId] ?? file.at }
    },
    save: (host, tasks) => write(host, { at: Date.now(), tasks: [...tasks] }),
    note(host, task) {
      const now = Date.now()
      const file = read(host)
      const others = file?.tasks.filter((one) => one.id !== task.id) ?? []
      write(host, {
        at: file?.at ?? now,
        tasks: [task, ...others],
        seen: { ...file?.seen, [task.id]: now },
      })
    },
    forget: (host) => rmSync(pathOf(host), { force: true }),
  }
}
