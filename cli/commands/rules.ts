import { shortId } from '../../shared/domain/task.ts'
import { AppError } from '../../shared/errors.ts'
import type { Rule } from '../../shared/protocol/records.ts'
import { printJson, type AddCommand, type Context } from '../context.ts'
import { renderTable, type Column } from '../output/table.ts'
import { ago } from '../output/time.ts'
import { visibleLine } from '../../shared/domain/visible.ts'
import { actorWords } from '../output/words.ts'
import { noteUnreachable } from './tasks.ts'

type PlacedRule = Rule & { host: string }

/** `handoff rules`: what may be done without asking, and taking it back. */
export const addRules: AddCommand = (program, runner) => {
  const rules = program
    .command('rules')
    .description('what may be done without asking')
    .addHelpText('after', '\nExamples:\n  handoff rules\n  handoff rules revoke r12')
  rules
    .command('list', { isDefault: true })
    .description('list the rules')
    .option('--task <task>', 'only those that apply to this task')
    .addHelpText('after', '\nExample:\n  handoff rules list --task 3fa2')
    .action(runner.run(list))
  rules
    .command('revoke')
    .description('take a rule back; from now on it is asked again')
    .argument('<rule>', 'its id or a beginning of it')
    .addHelpText('after', '\nExample:\n  handoff rules revoke r12')
    .action(runner.run(revoke))
}

async function readRules(context: Context): Promise<PlacedRule[]> {
  const { answers, unreachable } = await context.fleet.askAll((client, _host, signal) =>
    client.call('rule.list', {}, { signal }),
  )
  if (!context.out.json) noteUnreachable(context, unreachable)
  return answers.flatMap(({ host, value }) => value.rules.map((rule) => ({ ...rule, host })))
}

async function list(context: Context, options: { task?: string }): Promise<void> {
  const rules = options.task === undefined ? await readRules(context) : await ofTask(context, options.task)
  if (context.out.json) return printJson(context, 'rules', { v: 1, rules })
  if (rules.length === 0)
    return context.out.line(
      'There are no rules: everything that needs a permission is asked.\nOne is made with: handoff reply TICKET --approve --remember task',
    )
  const { style } = context.out
  const now = context.now()
  const columns: Column<PlacedRule>[] = [
    { title: 'RULE', cell: ({ id }) => id, paint: style.bold },
    { title: 'ALLOWS', cell: ({ action, pattern }) => `${action}: ${visibleLine(pattern)}`, shrinkTo: 20 },
    {
      title: 'FOR',
      cell: ({ scope, target }) => (scope === 'task' ? `task ${shortId(target)}` : visibleLine(target)),
      shrinkTo: 14,
    },
    {
      title: 'USED',
      cell: ({ hits, lastHitAt }) => (lastHitAt === undefined ? 'never' : `${hits}×, ${ago(lastHitAt, now)}`),
    },
    {
      title: 'MADE',
      cell: ({ createdAt, createdBy }) => `${ago(createdAt, now)} by ${actorWords(createdBy)}`,
      paint: style.dim,
      shrinkTo: 14,
    },
    { title: 'HOST', cell: ({ host }) => host, shrinkTo: 6 },
  ]
  for (const line of renderTable(columns, rules, { columns: context.out.columns, header: style.dim }))
    await context.out.line(line)
}

async function ofTask(context: Context, ref: string): Promise<PlacedRule[]> {
  const { host, client, task } = await context.fleet.findTask(ref)
  return (await client.call('rule.list', { task: task.id })).rules.map((rule) => ({ ...rule, host }))
}

async function revoke(context: Context, _options: object, ref: string): Promise<void> {
  const fits = (await readRules(context)).filter((rule) => rule.id.startsWith(ref))
  const [rule, ...others] =
    fits.filter((one) => one.id === ref).length === 1 ? fits.filter((one) => one.id === ref) : fits
  if (rule === undefined || others.length > 0)
    throw new AppError({
      code: 'rule_not_found',
      message:
        rule === undefined
          ? `No rule begins with ${ref}.`
          : `${ref} fits ${fits.length} rules: ${fits.map((one) => one.id).join(', ')}.`,
      hint: '`handoff rules` lists them.',
    })
  const client = await context.fleet.open(rule.host)
  const result = await client.call('rule.revoke', { ruleId: rule.id })
  if (context.out.json)
    return printJson(context, 'rules revoke', { v: 1, rule: { ...result.rule, host: rule.host } })
  await context.out.line(
    `${context.out.style.green('✓')} ${rule.action}: ${visibleLine(rule.pattern)} is asked again from now on`,
  )
}
