import type { CallOutput } from '../../shared/protocol.ts'
import { printJson, type AddCommand, type Context } from '../context.ts'
import { size } from '../output/time.ts'
import { visibleLine } from '../../shared/domain/visible.ts'
import { askYes } from '../person/prompts.ts'

/** `handoff gc`: clears what ended tasks left behind; shows it first on a terminal. */
export const addGc: AddCommand = (program, runner) => {
  program
    .command('gc')
    .description('clear away what ended tasks left behind (branches stay)')
    .option('-n, --dry-run', 'only say what would go')
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  handoff gc --dry-run')
    .action(runner.run(gc))
}

async function gc(context: Context, options: { dryRun?: true; yes?: true }): Promise<void> {
  const host = context.host ?? 'local'
  const client = await context.fleet.open(host)
  const { signal } = context
  const dryRun = options.dryRun === true
  if (context.out.json) {
    const result = await client.call('gc.run', { dryRun }, { signal })
    return printJson(context, 'gc', { v: 1, host, dryRun, ...result })
  }
  if (!dryRun && (options.yes === true || !context.interactive))
    return print(context, await client.call('gc.run', { dryRun: false }, { signal }), 'Removed')
  const preview = await client.call('gc.run', { dryRun: true }, { signal })
  await print(context, preview, 'Would remove')
  if (dryRun || preview.removed.length === 0 || !(await askYes(context, 'Remove this?'))) return
  await print(context, await client.call('gc.run', { dryRun: false }, { signal }), 'Removed')
}

async function print({ out }: Context, { removed, kept }: CallOutput<'gc.run'>, verb: string): Promise<void> {
  if (removed.length === 0) await out.line('There is nothing to clear away.')
  else {
    const bytes = removed.reduce((sum, one) => sum + one.bytes, 0)
    await out.line(`${verb} ${removed.length} thing${removed.length === 1 ? '' : 's'}, ${size(bytes)}:`)
    for (const one of removed)
      await out.line(`  ${one.what.padEnd(10)}  ${size(one.bytes).padStart(9)}  ${visibleLine(one.path)}`)
  }
  for (const one of kept)
    await out.line(out.style.dim(`  kept  ${visibleLine(one.path)}: ${visibleLine(one.why)}`))
}
