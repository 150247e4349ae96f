import { resolve } from 'node:path'
import { findTopLevel } from '../../shared/node/git/repository.ts'
import { printJson, type AddCommand, type Context } from '../context.ts'
import { again } from '../hosts/retry.ts'
import { syncHere, syncWords } from '../tasks/sync-back.ts'

/** `handoff pull`: brings a task's branch into a repository here, by hand. */
export const addPull: AddCommand = (program, runner) => {
  program
    .command('pull')
    .description('bring a task’s branch into the repository here (fetch only)')
    .argument('<task>')
    .option(
      '--repo <path>',
      'into which repository (default: where it was dispatched, else the one you are in)',
    )
    .addHelpText('after', '\nExample:\n  handoff pull 3fa2')
    .action(runner.run(pull))
}

async function pull(context: Context, options: { repo?: string }, ref: string): Promise<void> {
  const { signal, cwd } = context
  const { host, task } = await context.fleet.findTask(ref)
  const known = context.dispatched.load(task.id)
  const chosen = options.repo ?? known?.repoPath ?? cwd
  const repoPath = await findTopLevel({ cwd: resolve(cwd, chosen), signal })
  const target = { repoPath, branch: known?.branch }
  const progress = context.out.progress('Bringing the branch here')
  const sync = await again({ ...context, host }, (client) =>
    syncHere({ client, task, target, signal }),
  ).finally(() => progress.stop())
  if (context.out.json) return printJson(context, 'pull', { v: 1, host, sync })
  const quiet = sync.kind === 'diverged' || sync.kind === 'checked_out_here'
  await context.out.line(
    `${quiet ? context.out.style.yellow('!') : context.out.style.green('✓')} ${syncWords(sync)}`,
  )
}
