import { constants } from 'node:os'
import { printJson, usageError, type AddCommand, type Context } from '../context.ts'
import { duration } from '../output/time.ts'
import { EXIT_TIMEOUT } from './wait.ts'
import { secondsOption } from '../tasks/tickets.ts'

const DEFAULT_LIMIT_SECONDS = '600'
const MAX_JSON_BYTES = 16 * 1024 * 1024

/** `handoff run`: a command in a task's worktree, with its output and its exit code. */
export const addRun: AddCommand = (program, runner) => {
  program
    .command('run')
    .description('run a command in a task’s worktree')
    .argument('<task>')
    .argument('<command...>', 'after --: the command and its arguments')
    .option('--timeout <seconds>', 'time limit (exit code 124)', DEFAULT_LIMIT_SECONDS)
    .addHelpText(
      'after',
      '\nExample:\n  handoff run 3fa2 -- npm test\n\nThe exit code is that of the command; 124 when it ran out of time.',
    )
    .action(runner.run(runCommand))
}

async function runCommand(
  context: Context,
  options: { timeout: string },
  ref: string,
  argv: string[],
): Promise<number> {
  const timeoutMs = secondsOption(options.timeout, '--timeout')
  if (timeoutMs < 1_000 || timeoutMs > 24 * 3_600_000) throw usageError('--timeout wants 1 to 86400 seconds.')
  const { host, client, task } = await context.fleet.findTask(ref)
  const { out, signal } = context
  const kept = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] }
  let keptBytes = 0
  const result = await client.call(
    'task.run',
    { task: task.id, argv, timeoutMs },
    {
      signal,
      onChunk(data, channel) {
        const target = channel === 'stderr' ? 'stderr' : 'stdout'
        if (!out.json) return target === 'stderr' ? out.writeError(data) : out.write(data)
        keptBytes += data.length
        if (keptBytes <= MAX_JSON_BYTES) kept[target].push(data)
      },
    },
  )
  if (out.json) {
    const text = (chunks: Uint8Array[]) => Buffer.concat(chunks).toString('utf8')
    await printJson(context, 'run', {
      v: 1,
      host,
      ...result,
      stdout: text(kept.stdout),
      stderr: text(kept.stderr),
    })
  }
  if (result.timedOut) {
    out.note(
      `${out.errorStyle.red('✗')} The command was stopped: it ran longer than ${duration(timeoutMs)} (--timeout). [timeout]`,
    )
    return EXIT_TIMEOUT
  }
  if (result.exitCode !== null) return result.exitCode
  const number = result.signal === null ? undefined : constants.signals[result.signal as NodeJS.Signals]
  out.note(`${out.errorStyle.red('✗')} The command was ended by ${result.signal ?? 'a signal'}.`)
  return number === undefined ? 1 : 128 + number
}
