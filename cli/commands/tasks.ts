import { shortId } from '../../shared/domain/task.ts'
import { printJson, type AddCommand, type Context } from '../context.ts'
import { renderTable, type Column } from '../output/table.ts'
import { ago } from '../output/time.ts'
import { visibleLine } from '../../shared/domain/visible.ts'
import { statePaint, stateWords } from '../output/words.ts'
import { listTasks, type ListedTask } from '../tasks/list-tasks.ts'
import { taskOut } from '../tasks/task-out.ts'
import type { Unreachable } from '../hosts/fleet.ts'

/** `handoff tasks`: what is at work, on every host. */
export const addTasks: AddCommand = (program, runner) => {
  program
    .command('tasks')
    .alias('list')
    .description('list the tasks of all hosts')
    .option('-a, --all', 'also those that are over')
    .addHelpText('after', '\nExample:\n  handoff tasks --all --json')
    .action(runner.run(tasks))
}

async function tasks(context: Context, options: { all?: true }): Promise<number | void> {
  const progress = context.out.progress('Asking the hosts')
  const found = await listTasks(context, { all: options.all === true }).finally(() => progress.stop())
  if (context.out.json)
    await printJson(context, 'tasks', {
      v: 1,
      tasks: found.tasks.map(({ host, task, knownAt }) => ({
        ...taskOut(host, task),
        ...(knownAt === undefined ? {} : { knownAt }),
      })),
      unreachable: found.unreachable.map(({ host, error, knownAt }) => ({
        host,
        code: error.code,
        message: error.message,
        ...(knownAt === undefined ? {} : { knownAt }),
      })),
    })
  else {
    await printTasks(context, found.tasks, options.all === true)
    noteUnreachable(context, found.unreachable)
  }
  return found.unreachable.length > 0 && found.unreachable.length === context.fleet.names().length
    ? 1
    : undefined
}

async function printTasks({ out, now, fleet }: Context, rows: ListedTask[], all: boolean): Promise<void> {
  const { style } = out
  if (rows.length === 0) {
    const more = all ? '' : ' `handoff tasks --all` also lists those that are over.'
    return out.line(`No task is open.${more}\nStart one: handoff dispatch PLAN.md`)
  }
  const at = now()
  const many = fleet.names().length > 1
  const columns: Column<ListedTask>[] = [
    { title: 'TASK', cell: ({ task }) => shortId(task.id), paint: style.bold },
    {
      title: 'STATE',
      cell: ({ task }) => stateWords(task, at),
      paint: (text, { task, knownAt }) =>
        knownAt === undefined ? statePaint(style, task)(text) : style.dim(text),
      shrinkTo: 24,
    },
    { title: 'TITLE', cell: ({ task }) => visibleLine(task.title), shrinkTo: 16 },
    { title: 'EXECUTOR', cell: ({ task }) => task.executor, paint: style.dim, shrinkTo: 8 },
    ...(many ? [{ title: 'HOST', cell: ({ host }: ListedTask) => host, shrinkTo: 6 }] : []),
    { title: 'REPO', cell: ({ task }) => visibleLine(task.repo.name), shrinkTo: 8 },
    {
      title: 'CHANGED',
      cell: ({ task, knownAt }) => `${ago(task.updatedAt, at)}${knownAt === undefined ? '' : ' *'}`,
      paint: style.dim,
    },
  ]
  for (const line of renderTable(columns, rows, { columns: out.columns, header: style.dim }))
    await out.line(line)
}

/** Names hosts that did not answer, and from when what is shown of them is. */
export function noteUnreachable(
  { out, now }: Pick<Context, 'out' | 'now'>,
  unreachable: readonly Unreachable[],
): void {
  for (const { host, error, knownAt } of unreachable) {
    const known =
      knownAt === undefined
        ? 'nothing is known of its tasks'
        : `its tasks (*) are as of ${ago(knownAt, now())}`
    out.note(
      `${out.errorStyle.yellow('!')} ${host} cannot be reached, ${known}: ${visibleLine(error.message)} [${error.code}]`,
    )
    if (error.hint !== undefined) out.note(`  ${visibleLine(error.hint)}`)
    out.note(`  Retry: handoff host check ${host}`)
  }
}
