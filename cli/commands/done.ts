import { isOver, shortId } from '../../shared/domain/task.ts'
import { printJson, type AddCommand, type Context } from '../context.ts'
import { callAgain } from '../hosts/retry.ts'
import { visibleLine } from '../../shared/domain/visible.ts'
import { refuseOwnTask } from '../person/own-task.ts'
import { newRequestId } from '../request-id.ts'
import { returnsTo, syncWords, trySyncBack } from '../tasks/sync-back.ts'
import { taskOut } from '../tasks/task-out.ts'

interface Options {
  push?: true
  keepWorktree?: true
  note?: string
}

/** `handoff done`: accepts the result and ends the task. */
export const addDone: AddCommand = (program, runner) => {
  program
    .command('done')
    .description('accept the result; the task is over')
    .argument('<task>')
    .option('--push', 'push the branch from its host')
    .option('--keep-worktree', 'leave the worktree where it is')
    .option('--note <text>', 'kept with the task')
    .addHelpText('after', '\nExample:\n  handoff done 3fa2 --push --note "merged in #41"')
    .action(runner.run(done))
}

async function done(context: Context, options: Options, ref: string): Promise<void> {
  const { host, task } = await context.fleet.findTask(ref)
  refuseOwnTask(context.env, task.id)
  const target = isOver(task.state) ? undefined : returnsTo(context, host, task)
  const progress = context.out.progress('Bringing the result back')
  // Before the worktree goes: what is accepted must be here.
  const sync =
    target === undefined ? undefined : await trySyncBack({ where: { ...context, host } }, { task, target })
  progress.update(options.push === true ? 'Pushing and finishing' : 'Finishing')
  const result = await callAgain({ ...context, host }, 'task.done', {
    requestId: newRequestId(),
    task: task.id,
    push: options.push === true,
    keepWorktree: options.keepWorktree === true,
    ...(options.note === undefined ? {} : { note: options.note }),
  }).finally(() => progress.stop())
  const { push, worktree, worktreeWhy } = result
  if (context.out.json)
    return printJson(context, 'done', {
      v: 1,
      task: taskOut(host, result.task),
      worktree,
      ...(push === undefined ? {} : { push }),
      ...(worktreeWhy === undefined ? {} : { worktreeWhy }),
      ...(sync === undefined ? {} : { sync }),
    })
  const { out } = context
  await out.line(`${out.style.green('✓')} ${shortId(task.id)} is done: ${visibleLine(task.title)}`)
  await out.line(`  branch ${task.branch}${push === undefined ? '' : ` — ${visibleLine(push)}`}`)
  if (sync !== undefined) await out.line(`  ${syncWords(sync)}`)
  await out.line(`  worktree ${worktree}${worktreeWhy === undefined ? '' : `: ${visibleLine(worktreeWhy)}`}`)
}
