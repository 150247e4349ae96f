import { shortId } from '../../shared/domain/task.ts'
import { AppError } from '../../shared/errors.ts'
import { printJson, type AddCommand, type Context } from '../context.ts'
import { callAgain } from '../hosts/retry.ts'
import { visibleLine } from '../../shared/domain/visible.ts'
import { refuseOwnTask } from '../person/own-task.ts'
import { askYes } from '../person/prompts.ts'
import { newRequestId } from '../request-id.ts'
import { taskOut } from '../tasks/task-out.ts'

/** `handoff cancel`: stops the executor for good; its branch stays. */
export const addCancel: AddCommand = (program, runner) => {
  program
    .command('cancel')
    .description('stop a task for good; its branch stays')
    .argument('<task>')
    .option('--note <text>', 'why, kept with the task')
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  handoff cancel 3fa2 --note "superseded"')
    .action(runner.run(cancel))
}

async function cancel(context: Context, options: { note?: string; yes?: true }, ref: string): Promise<void> {
  const { host, task } = await context.fleet.findTask(ref)
  refuseOwnTask(context.env, task.id)
  const id = shortId(task.id)
  if (
    context.interactive &&
    options.yes !== true &&
    !(await askYes(context, `Stop ${id} “${visibleLine(task.title)}” for good?`))
  )
    throw new AppError({ code: 'cancelled', message: `${id} goes on.` })
  const result = await callAgain({ ...context, host }, 'task.cancel', {
    requestId: newRequestId(),
    task: task.id,
    ...(options.note === undefined ? {} : { note: options.note }),
  })
  if (context.out.json) return printJson(context, 'cancel', { v: 1, task: taskOut(host, result.task) })
  await context.out.line(
    `${context.out.style.green('✓')} ${id} is cancelled; its work stays on ${task.branch}`,
  )
}
