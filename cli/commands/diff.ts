import { spawn } from 'node:child_process'
import { printJson, usageError, type AddCommand, type Context } from '../context.ts'
import { diffPaint } from '../output/ticket-text.ts'
import { visibleText } from '../../shared/domain/visible.ts'
import { isBrokenPipe } from '../output/output.ts'

interface Options {
  stat?: true
  nameOnly?: true
  round?: string
  against?: string
  pager: boolean
}

/** `handoff diff`: what a task changed. */
export const addDiff: AddCommand = (program, runner) => {
  program
    .command('diff')
    .description('what a task changed, up to now')
    .argument('<task>')
    .option('--stat', 'how much in which file')
    .option('--name-only', 'only the names of the files')
    .option('--round <number>', 'only what one round changed')
    .option('--against <round>', 'with --round: compare with the end of that round (0: the base)')
    .option('--no-pager', 'do not page on a terminal')
    .addHelpText('after', '\nExamples:\n  handoff diff 3fa2 --stat\n  handoff diff 3fa2 --round 2')
    .action(runner.run(diff))
}

async function diff(context: Context, options: Options, ref: string): Promise<void> {
  if (options.stat === true && options.nameOnly === true)
    throw usageError('--stat and --name-only do not go together.')
  const round = wholeNumber(options.round, '--round', 1)
  const against = wholeNumber(options.against, '--against', 0)
  if (against !== undefined && round === undefined) throw usageError('--against belongs to --round.')
  const { host, client, task } = await context.fleet.findTask(ref)
  const { out, signal } = context
  const chunks: Uint8Array[] = []
  const painted = out.isTerminal && !out.json
  const progress = out.progress('Reading the diff')
  const input = {
    task: task.id,
    mode:
      options.stat === true
        ? ('stat' as const)
        : options.nameOnly === true
          ? ('name-only' as const)
          : ('full' as const),
    ...(round === undefined ? {} : { round }),
    ...(against === undefined ? {} : { against }),
  }
  // To a pipe the bytes go as they come, exactly as git wrote them, so that they can be applied.
  const onChunk = (data: Uint8Array) => (painted || out.json ? void chunks.push(data) : out.write(data))
  const result = await client.call('task.diff', input, { signal, onChunk }).finally(() => progress.stop())
  const text = Buffer.concat(chunks).toString('utf8')
  if (out.json) return printJson(context, 'diff', { v: 1, host, ...result, text })
  if (!painted) return
  if (text === '') return out.line('Nothing was changed.')
  const lines = visibleText(text)
    .split('\n')
    .map((line) => diffPaint(line, out.style))
  await page(context, lines.join('\n'), options.pager)
  if (result.uncommitted) out.note(out.errorStyle.dim('The worktree as it is now, committed or not.'))
}

function wholeNumber(text: string | undefined, name: string, least: number): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (!Number.isInteger(value) || value < least || value > 1_000_000)
    throw usageError(`${name} wants a number from ${least}, not “${text}”.`)
  return value
}

/** Through the person's pager, as git does it; straight to the screen when there is none. */
async function page({ out, env }: Context, text: string, wanted: boolean): Promise<void> {
  const pager = env['HANDOFF_PAGER'] ?? env['GIT_PAGER'] ?? env['PAGER'] ?? 'less'
  if (!wanted || pager === '' || pager === 'cat') return out.write(text)
  const [file = 'less', ...args] = pager.split(/\s+/)
  const shown = await new Promise<boolean>((resolve) => {
    const child = spawn(file, args, {
      stdio: ['pipe', 'inherit', 'inherit'],
      env: { ...env, LESS: env['LESS'] ?? 'FRX' },
    })
    child.on('error', () => resolve(false))
    child.on('close', () => resolve(true))
    // Leaving the pager early closes its end; that is no error.
    child.stdin.on('error', (error) => (isBrokenPipe(error) ? undefined : resolve(false)))
    child.stdin.end(text)
  })
  if (!shown) await out.write(text)
}
