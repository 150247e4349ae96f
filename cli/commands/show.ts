import { taskSchema, shortId, isOver, type Task } from '../../shared/domain/task.ts'
import { AppError } from '../../shared/errors.ts'
import type { CallOutput } from '../../shared/protocol.ts'
import { printJson, type AddCommand, type Context } from '../context.ts'
import { showText } from '../output/show-text.ts'
import { ago } from '../output/time.ts'
import { visibleLine } from '../../shared/domain/visible.ts'
import { stateWords } from '../output/words.ts'
import { nextCommands, taskOut } from '../tasks/task-out.ts'

/** `handoff show`: everything that somebody without a memory of the task needs to carry on. */
export const addShow: AddCommand = (program, runner) => {
  program
    .command('show')
    .description('everything about a task, with the exact next commands')
    .argument('<task>')
    .option('--plan', 'the whole plan')
    .option('--history <count>', 'how many events of its history', '30')
    .addHelpText('after', '\nExample:\n  handoff show 3fa2 --plan')
    .action(runner.run(show))
}

interface Options {
  plan?: true
  history: string
}

async function show(context: Context, options: Options, ref: string): Promise<number | void> {
  const historyLimit = Math.min(1_000, Math.max(0, Math.floor(Number(options.history)) || 0))
  const progress = context.out.progress('Looking for the task')
  try {
    const { host, client, task } = await context.fleet.findTask(ref)
    const full = await client.call('task.get', { task: task.id, historyLimit })
    progress.stop()
    context.known.note(host, full.task)
    return await print(context, { host, full, wholePlan: options.plan === true })
  } catch (error) {
    progress.stop()
    if (!(error instanceof AppError) || error.code !== 'host_unreachable') throw error
    return showKnown(context, error)
  }
}

async function print(
  context: Context,
  { host, full, wholePlan }: { host: string; full: CallOutput<'task.get'>; wholePlan: boolean },
): Promise<void> {
  const next = nextCommands(full.task, full.tickets)
  if (!context.out.json)
    return context.out.write(
      showText({
        host,
        full,
        wholePlan,
        next,
        style: context.out.style,
        columns: context.out.columns,
        now: context.now(),
      }),
    )
  await printJson(context, 'show', {
    v: 1,
    task: taskOut(host, full.task),
    plan: full.plan,
    personConnected: full.personConnected,
    tickets: full.tickets,
    rounds: full.rounds,
    events: full.events,
    next,
  })
}

/** The host is away: what was last known of the task, from when, and how to try again. */
async function showKnown(context: Context, error: AppError): Promise<number> {
  const parsed = taskSchema.safeParse(error.details?.['task'])
  const host = String(error.details?.['host'] ?? '')
  const knownAt = Number(error.details?.['knownAt'] ?? 0)
  if (!parsed.success) throw error
  const task: Task = parsed.data
  const next = [`handoff host check ${host}`, `handoff show ${shortId(task.id)}`]
  const { out, now } = context
  if (out.json)
    await printJson(context, 'show', {
      v: 1,
      task: taskOut(host, task),
      plan: '',
      tickets: [],
      rounds: [],
      events: [],
      knownAt,
      next,
    })
  else {
    await out.line(`${out.style.bold(shortId(task.id))}  ${visibleLine(task.title)}`)
    await out.line(
      `  ${stateWords(task, now())} — as of ${ago(knownAt, now())}; ${host} cannot be reached now`,
    )
    await out.line(
      `  ${task.executor} · ${task.branch} · round ${task.round}${isOver(task.state) ? '' : ` · ${task.openTickets} open ticket(s)`}`,
    )
    if (task.summary !== undefined) await out.line(`  ${visibleLine(task.summary)}`)
  }
  out.note(`${out.errorStyle.yellow('!')} ${visibleLine(error.message)} [${error.code}]\n  Retry: ${next[0]}`)
  return 1
}
