import { roleSchema, type Role } from '../../shared/domain/actor.ts'
import { hostname } from 'node:os'
import { printJson, usageError, type AddCommand, type Context } from '../context.ts'
import { renderTable } from '../output/table.ts'
import { ago } from '../output/time.ts'
import { exactText, visibleLine } from '../../shared/domain/visible.ts'
import { requirePerson } from '../person/person.ts'
import { typeWord } from '../person/typed-answer.ts'

/** `handoff agentd token …`: keys for other programs and machines. */
export const addToken: AddCommand = (agentd, runner) => {
  const token = agentd
    .command('token')
    .description('keys for other programs and machines')
    .addHelpText('after', '\nExample:\n  handoff agentd token create --role reviewer --name laptop')
  token
    .command('create')
    .description('make a token; it is shown once')
    .requiredOption('--role <role>', 'user, reviewer or observer; user needs a person at a terminal')
    .option('--name <text>', 'what it is for')
    .addHelpText('after', '\nExample:\n  handoff agentd token create --role reviewer --name laptop')
    .action(runner.run(create))
  token
    .command('list')
    .description('list the tokens')
    .addHelpText('after', '\nExample:\n  handoff agentd token list')
    .action(runner.run(list))
  token
    .command('revoke')
    .description('make a token useless at once; its connections are closed')
    .argument('<token>', 'its id or name')
    .addHelpText('after', '\nExample:\n  handoff agentd token revoke laptop')
    .action(runner.run(revoke))
}

async function create(context: Context, options: { role: string; name?: string }): Promise<void> {
  const parsed = roleSchema.safeParse(options.role)
  if (!parsed.success)
    throw usageError(`There is no role ${options.role}.`, 'Roles: user, reviewer, observer.')
  const role = parsed.data
  const name = options.name ?? `${role} of ${hostname()}`.slice(0, 200)
  const client = await context.fleet.open(context.host ?? 'local')
  const typed = role === 'user' ? await showToPerson(context, role, name) : undefined
  const { token, info } = await client.call('token.create', {
    role,
    name,
    ...(typed === undefined ? {} : { typed }),
  })
  if (context.out.json) return printJson(context, 'agentd token create', { v: 1, token, info })
  // The token alone on stdout, so that it can be piped; what is to be said goes to stderr.
  await context.out.line(token)
  context.out.note(
    `${context.out.errorStyle.green('✓')} Token ${info.id} “${visibleLine(info.name)}” with the role ${info.role}. It is shown only now.`,
  )
}

async function showToPerson(
  context: Context,
  role: Role,
  name: string,
): Promise<{ nonce: string; sha256: string }> {
  requirePerson(context.seat, {
    what: 'A user token',
    otherwise:
      'It can answer everything in the person’s name. The person runs this command on a terminal of their own.',
  })
  const client = await context.fleet.open(context.host ?? 'local')
  const { text, nonce, sha256 } = await client.call('token.present', { role, name })
  await context.out.line(`\n${exactText(text)}\n`)
  await typeWord({ ...context, word: 'create' })
  return { nonce, sha256 }
}

async function list(context: Context): Promise<void> {
  const client = await context.fleet.open(context.host ?? 'local')
  const { tokens } = await client.call('token.list', {})
  if (context.out.json) return printJson(context, 'agentd token list', { v: 1, tokens })
  if (tokens.length === 0) return context.out.line('There are no tokens. The socket and ssh need none.')
  const { style } = context.out
  const now = context.now()
  const lines = renderTable(
    [
      { title: 'TOKEN', cell: (one: (typeof tokens)[number]) => one.id, paint: style.bold },
      { title: 'ROLE', cell: (one) => one.role },
      { title: 'NAME', cell: (one) => visibleLine(one.name), shrinkTo: 12 },
      { title: 'MADE', cell: (one) => ago(one.createdAt, now) },
      { title: 'USED', cell: (one) => (one.lastUsedAt === undefined ? 'never' : ago(one.lastUsedAt, now)) },
    ],
    tokens,
    { columns: context.out.columns, header: style.dim },
  )
  await context.out.line(lines.join('\n'))
}

async function revoke(context: Context, _options: object, ref: string): Promise<void> {
  const client = await context.fleet.open(context.host ?? 'local')
  const { info, closedConnections } = await client.call('token.revoke', { token: ref })
  if (context.out.json) return printJson(context, 'agentd token revoke', { v: 1, info, closedConnections })
  const closed =
    closedConnections === 0
      ? ''
      : `; ${closedConnections} connection${closedConnections === 1 ? '' : 's'} closed`
  await context.out.line(
    `${context.out.style.green('✓')} Token ${info.id} “${visibleLine(info.name)}” is revoked${closed}`,
  )
}
