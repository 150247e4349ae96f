import { hostName } from '../../shared/domain/host-name.ts'
import { AppError } from '../../shared/errors.ts'
import { formatHostAddress, parseHostAddress } from '../../shared/node/host-client/address.ts'
import { printJson, usageError, type AddCommand, type Context } from '../context.ts'
import { checkHost, type HostCheck } from '../hosts/check-host.ts'
import { renderTable } from '../output/table.ts'
import { visibleLine } from '../../shared/domain/visible.ts'
import { askSecret } from '../person/prompts.ts'
import { readAll } from '../tasks/plan.ts'

/** `handoff host …`: the machines that tasks can be handed to. */
export const addHost: AddCommand = (program, runner) => {
  const host = program
    .command('host')
    .description('the machines that tasks can be handed to')
    .addHelpText('after', '\nExample:\n  handoff host add devbox ssh://dev@devbox')
  host
    .command('add')
    .description('add a machine: ssh://[user@]host or ws://host:port')
    .argument('<name>')
    .argument('<address>')
    .option('--token', 'read a token from the input (asked for on a terminal); ws:// needs one')
    .option('--ssh-config <file>', 'for ssh: its -F file')
    .option('--command <text>', 'for ssh: what to run there instead of `handoff dial-stdio`')
    .option('--no-check', 'do not try it now')
    .addHelpText(
      'after',
      '\nExamples:\n  handoff host add devbox ssh://dev@devbox\n  handoff host add lab ws://100.64.0.7:7433 --token < token.txt',
    )
    .action(runner.run(add))
  host
    .command('list')
    .description('list the machines')
    .addHelpText('after', '\nExample:\n  handoff host list')
    .action(runner.run(list))
  host
    .command('remove')
    .description('forget a machine and its token')
    .argument('<name>')
    .addHelpText('after', '\nExample:\n  handoff host remove devbox')
    .action(runner.run(remove))
  host
    .command('check')
    .description('try to reach machines and say what is wrong')
    .argument('[name]')
    .addHelpText('after', '\nExample:\n  handoff host check devbox')
    .action(runner.run(check))
}

interface AddOptions {
  token?: true
  sshConfig?: string
  command?: string
  check: boolean
}

async function add(
  context: Context,
  options: AddOptions,
  name: string,
  text: string,
): Promise<number | void> {
  if (!hostName.safeParse(name).success)
    throw usageError(
      `“${name.slice(0, 80)}” is not a usable name.`,
      'Use letters, digits, dots, dashes and underscores.',
    )
  const address = parseHostAddress(text)
  if (address.kind === 'local') throw usageError('This machine is always there, as `local`.')
  const token =
    options.token === true || (address.kind === 'ws' && context.interactive)
      ? await readToken(context)
      : undefined
  if (address.kind === 'ws' && token === undefined)
    throw new AppError({
      code: 'needs_token',
      message: 'A host at ws:// wants a token.',
      hint: 'Make one there with `handoff agentd token create --role reviewer`, then: handoff host add NAME ADDRESS --token < token.txt',
    })
  const stored = context.hosts.add({
    name,
    address: formatHostAddress(address),
    ...(options.sshConfig === undefined ? {} : { sshConfig: options.sshConfig }),
    ...(options.command === undefined ? {} : { remoteCommand: options.command }),
    ...(token === undefined ? {} : { token }),
  })
  const result = options.check ? await checkHost(context, name) : undefined
  if (context.out.json)
    return printJson(context, 'host add', {
      v: 1,
      name,
      address: stored.address,
      ...(result === undefined ? {} : { check: { ok: result.ok, message: result.message } }),
    })
  await context.out.line(`${context.out.style.green('✓')} ${name} is ${stored.address}`)
  if (address.kind === 'ws' && !address.secure && !isLoopback(address.host))
    context.out.note(
      `${context.out.errorStyle.yellow('!')} ws:// is not encrypted: whoever can listen on the way reads the token and all that is said. Outside of a private network use ssh://.`,
    )
  if (result !== undefined) await context.out.line(checkLine(context, result))
}

const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(host)

/** The token is never an argument: arguments can be read by every user of the machine. */
async function readToken(context: Context): Promise<string> {
  const token = context.interactive
    ? await askSecret(context, 'Token')
    : (await readAll(context.input, 1_000)).trim()
  if (!/^[\x21-\x7e]{8,500}$/.test(token))
    throw usageError(
      'That is not a token.',
      'Give the token alone on the input, as `handoff agentd token create` printed it.',
    )
  return token
}

async function list(context: Context): Promise<void> {
  const hosts = context.hosts
    .list()
    .map(({ name, address }) => ({ name, address, hasToken: context.hosts.token(name) !== undefined }))
  if (context.out.json)
    return printJson(context, 'host list', {
      v: 1,
      hosts: [{ name: 'local', address: 'local', hasToken: false }, ...hosts],
    })
  const { style } = context.out
  const rows = [{ name: 'local', address: 'this machine', hasToken: false }, ...hosts]
  const lines = renderTable(
    [
      { title: 'HOST', cell: (row: (typeof rows)[number]) => row.name, paint: style.bold },
      { title: 'ADDRESS', cell: (row) => visibleLine(row.address), shrinkTo: 20 },
      { title: 'TOKEN', cell: (row) => (row.hasToken ? 'kept' : '-') },
    ],
    rows,
    { columns: context.out.columns, header: style.dim },
  )
  await context.out.line(lines.join('\n'))
}

async function remove(context: Context, _options: object, name: string): Promise<void> {
  context.hosts.remove(name)
  context.known.forget(name)
  if (context.out.json) return printJson(context, 'host remove', { v: 1, name })
  await context.out.line(`${context.out.style.green('✓')} ${name} is forgotten; its tasks there go on`)
}

async function check(context: Context, _options: object, name: string | undefined): Promise<number | void> {
  if (name !== undefined && name !== 'local') context.hosts.get(name)
  const names = name === undefined ? context.fleet.names() : [name]
  const progress = context.out.progress('Reaching the hosts')
  const results = await Promise.all(names.map((one) => checkHost(context, one))).finally(() =>
    progress.stop(),
  )
  if (context.out.json) await printJson(context, 'host check', { v: 1, hosts: results })
  else for (const result of results) await context.out.line(checkLine(context, result))
  return results.every((result) => result.ok) ? undefined : 1
}

function checkLine({ out }: Context, { name, ok, message, fix }: HostCheck): string {
  const { style } = out
  const line = `${ok ? style.green('✓') : style.red('✗')} ${name}: ${visibleLine(message)}`
  return fix === undefined ? line : `${line}\n  ${visibleLine(fix)}`
}
