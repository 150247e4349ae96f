import type { Task } from '../../shared/domain/task.ts'
import type { Context } from '../context.ts'
import type { Unreachable } from '../hosts/fleet.ts'

/** A task in a list; `knownAt` is set when its host could not be asked now. */
export interface ListedTask {
  host: string
  task: Task
  knownAt?: number
}

/** The tasks of all hosts, newest first; of a host that does not answer, what was last known. */
export async function listTasks(
  context: Pick<Context, 'fleet' | 'known'>,
  { all }: { all: boolean },
): Promise<{ tasks: ListedTask[]; unreachable: Unreachable[] }> {
  const { fleet, known } = context
  const { answers, unreachable } = await fleet.askAll(async (client, host, signal) => {
    const { tasks } = await client.call('task.list', { over: true, limit: 1_000 }, { signal })
    known.save(host, tasks)
    return tasks
  })
  const fresh = answers.flatMap(({ host, value }) => value.map((task): ListedTask => ({ host, task })))
  const old = unreachable.flatMap(({ host }) => {
    const last = known.load(host)
    return (last?.tasks ?? []).map((task): ListedTask => ({
      host,
      task,
      ...(last === undefined ? {} : { knownAt: last.seenAt(task.id) }),
    }))
  })
  const tasks = [...fresh, ...old].filter(({ task }) => all || task.endedAt === undefined)
  return { tasks: tasks.sort((a, b) => b.task.createdAt - a.task.createdAt), unreachable }
}
