import { resolve } from 'node:path'
import { shortId } from '../../shared/domain/task.ts'
import { printJson, usageError, type AddCommand, type Context } from '../context.ts'
import { callAgain } from '../hosts/retry.ts'
import { refuseOwnTask } from '../person/own-task.ts'
import { newRequestId } from '../request-id.ts'
import { readAll, readTextFile } from '../tasks/plan.ts'
import { taskOut } from '../tasks/task-out.ts'

const MAX_TEXT_BYTES = 200_000

/** `handoff continue`: sends a finished round back with what to change. */
export const addContinue: AddCommand = (program, runner) => {
  program
    .command('continue')
    .description('send a finished round back with what to change')
    .argument('<task>')
    .argument('[text]', 'what to change, or - for the input')
    .option('--file <path>', 'what to change, from a file')
    .addHelpText('after', '\nExample:\n  handoff continue 3fa2 "also cover the empty list"')
    .action(runner.run(continueTask))
}

async function continueTask(
  context: Context,
  { file }: { file?: string },
  ref: string,
  given: string | undefined,
): Promise<void> {
  if ((file === undefined) === (given === undefined))
    throw usageError('Say what to change: as text, - for the input, or --file PATH.')
  const text =
    file !== undefined
      ? await readTextFile(resolve(context.cwd, file), MAX_TEXT_BYTES)
      : given === '-'
        ? await readAll(context.input, MAX_TEXT_BYTES)
        : (given ?? '')
  if (text.trim() === '') throw usageError('The text is empty.')
  const { host, task } = await context.fleet.findTask(ref)
  refuseOwnTask(context.env, task.id)
  const result = await callAgain({ ...context, host }, 'task.continue', {
    requestId: newRequestId(),
    task: task.id,
    text,
  })
  const next = [`handoff wait ${shortId(task.id)}`]
  if (context.out.json)
    return printJson(context, 'continue', { v: 1, task: taskOut(host, result.task), next })
  await context.out.line(
    `${context.out.style.green('✓')} ${shortId(task.id)} goes on with round ${result.task.round}\n  Next: ${next[0]}`,
  )
}
