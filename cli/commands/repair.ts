import { shortId } from '../../shared/domain/task.ts'
import { printJson, type AddCommand, type Context } from '../context.ts'
import { callAgain } from '../hosts/retry.ts'
import { visibleText } from '../../shared/domain/visible.ts'
import { newRequestId } from '../request-id.ts'
import { taskOut } from '../tasks/task-out.ts'

/** `handoff repair`: delivers again what was not delivered, and compares with what the executor says. */
export const addRepair: AddCommand = (program, runner) => {
  program
    .command('repair')
    .description('deliver again what was not delivered; compare with the executor’s own facts')
    .argument('<task>')
    .addHelpText('after', '\nExample:\n  handoff repair 3fa2')
    .action(runner.run(repair))
}

async function repair(context: Context, _options: object, ref: string): Promise<void> {
  const { host, task } = await context.fleet.findTask(ref)
  const progress = context.out.progress('Comparing with the executor')
  const result = await callAgain({ ...context, host }, 'task.repair', {
    requestId: newRequestId(),
    task: task.id,
  }).finally(() => progress.stop())
  if (context.out.json)
    return printJson(context, 'repair', { v: 1, task: taskOut(host, result.task), outcome: result.outcome })
  await context.out.line(
    `${context.out.style.green('✓')} ${shortId(task.id)}: ${visibleText(result.outcome)}`,
  )
}
