import { shortId } from '../../shared/domain/task.ts'
import type { AuditEntry } from '../../shared/protocol/records.ts'
import { printJson, usageError, type AddCommand, type Context } from '../context.ts'
import { clock } from '../output/time.ts'
import { exactText, visibleLine } from '../../shared/domain/visible.ts'
import { actorWords } from '../output/words.ts'

/** `handoff audit`: every decision, who made it, and the exact text that was decided on. */
export const addAudit: AddCommand = (program, runner) => {
  program
    .command('audit')
    .description('every decision: who, what, when, which rule, and the exact text')
    .argument('[task]', 'only of this task')
    .option('--limit <count>', 'how many, newest last', '200')
    .addHelpText('after', '\nExample:\n  handoff audit 3fa2 --json')
    .action(runner.run(audit))
}

async function audit(context: Context, options: { limit: string }, ref: string | undefined): Promise<void> {
  const limit = Number(options.limit)
  if (!Number.isInteger(limit) || limit < 1 || limit > 100_000)
    throw usageError('--limit wants a number from 1 to 100000.')
  const { host, client, taskId } = await placeOf(context, ref)
  const entries: AuditEntry[] = []
  while (entries.length < limit) {
    const page = Math.min(1_000, limit - entries.length)
    const beforeId = entries.at(-1)?.id
    const answer = await client.call('audit.list', {
      limit: page,
      ...(taskId === undefined ? {} : { task: taskId }),
      ...(beforeId === undefined ? {} : { beforeId }),
    })
    entries.push(...answer.entries.toSorted((a, b) => b.id - a.id))
    if (answer.entries.length < page) break
  }
  entries.reverse()
  if (context.out.json) return printJson(context, 'audit', { v: 1, host, entries })
  if (entries.length === 0) return context.out.line('Nothing was decided yet.')
  for (const entry of entries) await context.out.line(entryText(context, entry, taskId === undefined))
}

async function placeOf(context: Context, ref: string | undefined) {
  if (ref === undefined) {
    const host = context.host ?? 'local'
    return { host, client: await context.fleet.open(host), taskId: undefined }
  }
  const { host, client, task } = await context.fleet.findTask(ref)
  return { host, client, taskId: task.id }
}

function entryText({ out, now }: Context, entry: AuditEntry, withTask: boolean): string {
  const { style } = out
  const task = withTask && entry.taskId !== undefined ? `  ${shortId(entry.taskId)}` : ''
  const rule = entry.ruleId === undefined ? '' : style.dim(`  rule ${entry.ruleId}`)
  const head = `${style.dim(clock(entry.at, now()))}${task}  ${style.bold(entry.decision)}  ${actorWords(entry.by)}${rule}`
  const text =
    entry.text === ''
      ? []
      : exactText(entry.text)
          .split('\n')
          .map((line) => `    ${style.dim('│')} ${line}`)
  const detail = entry.detail === undefined || entry.detail === '' ? [] : [`    ${visibleLine(entry.detail)}`]
  return [head, ...text, ...detail].join('\n')
}
