import { execa } from 'execa'
import { AppError } from '../../shared/errors.ts'
import { isOver, shortId, type Task } from '../../shared/domain/task.ts'
import type { HostAddress } from '../../shared/node/host-client/address.ts'
import { sshAttachArgv } from '../../shared/node/hosts/attach-argv.ts'
import { printJson, usageError, type AddCommand, type Context } from '../context.ts'
import { addressOf } from '../hosts/connect.ts'
import { renderTable, type Column } from '../output/table.ts'
import { visibleLine } from '../../shared/domain/visible.ts'
import { stateWords } from '../output/words.ts'
import { chooseOne } from '../person/prompts.ts'
import { quoteArgument } from '../tasks/task-out.ts'
import { listTasks, type ListedTask } from '../tasks/list-tasks.ts'

/** `handoff attach`: shows the executor's own screen. */
export const addAttach: AddCommand = (program, runner) => {
  program
    .command('attach')
    .description('look at the agent’s own screen (tmux)')
    .argument('[task]', 'which task; without it, choose from a list')
    .addHelpText('after', '\nExample:\n  handoff attach 3fa2        leave again with Ctrl-b d')
    .action(runner.run(attach))
}

async function attach(context: Context, _options: object, ref: string | undefined): Promise<number | void> {
  if (ref !== undefined) return attachTo(context, await context.fleet.findTask(ref))
  if (!context.interactive) throw usageError('Say which task.', '`handoff tasks` lists them.')
  const { tasks } = await listTasks(context, { all: false })
  const open = tasks.filter(({ task, knownAt }) => !isOver(task.state) && knownAt === undefined)
  if (open.length === 0)
    throw new AppError({
      code: 'task_not_found',
      message: 'No task is at work.',
      hint: '`handoff dispatch` starts one.',
    })
  const chosen = await chooseOne(
    context,
    'Which task?',
    choiceLines(context, open).map((name, index) => ({ name, value: open[index] as ListedTask })),
  )
  return attachTo(context, chosen)
}

// What the list puts before each line.
const POINTER_COLUMNS = 2

function choiceLines({ out, now }: Context, open: readonly ListedTask[]): string[] {
  const columns: Column<ListedTask>[] = [
    { title: '', cell: ({ task }) => shortId(task.id) },
    { title: '', cell: ({ task }) => stateWords(task, now()), shrinkTo: 16 },
    { title: '', cell: ({ task }) => visibleLine(task.title), shrinkTo: 16 },
    { title: '', cell: ({ host }) => (host === 'local' ? '' : host) },
  ]
  const room = out.columns - POINTER_COLUMNS
  return renderTable(columns, open, { columns: room, header: (text) => text }).slice(1)
}

/** Hands the terminal to the task's tmux session until the person leaves it. */
export async function attachTo(
  context: Context,
  { host, task }: { host: string; task: Task },
): Promise<number | void> {
  const { out, env } = context
  const client = await context.fleet.open(host)
  const { tmux } = await client.call('task.get', { task: task.id, historyLimit: 0 })
  if (tmux === undefined)
    throw new AppError({
      code: 'executor_gone',
      message: `The screen of ${shortId(task.id)} is not there${isOver(task.state) ? ': the task is over' : ''}.`,
      hint: `\`handoff show ${shortId(task.id)}\` tells what happened.`,
    })
  const argv = attachCommand({
    address: addressOf(context.hosts, host),
    sshConfig: host === 'local' ? undefined : context.hosts.get(host).sshConfig,
    session: tmux.session,
    socketDir: tmux.socketDir,
    insideTmux: env['TMUX'] !== undefined,
  })
  if (out.json) return printJson(context, 'attach', { v: 1, host, session: tmux.session, argv })
  if (!out.isTerminal || !context.seat.stdinIsTerminal)
    throw usageError('Attaching needs a terminal.', `On a terminal: ${argv.map(quoteArgument).join(' ')}`)
  await context.fleet.close()
  const [file = '', ...args] = argv
  const socket = tmux.socketDir === undefined || host !== 'local' ? {} : { TMUX_TMPDIR: tmux.socketDir }
  // From inside another tmux, tmux refuses to nest unless it is not told where it is.
  const nested = argv[1] === 'attach-session' ? { TMUX: undefined } : {}
  const result = await execa(file, args, { stdio: 'inherit', reject: false, env: { ...socket, ...nested } })
  if (result.exitCode === 0) return
  if (file === 'ssh' && result.exitCode === 255)
    throw new AppError({
      code: 'connection_lost',
      message: `The connection to ${host} ended; the agent goes on there.`,
      hint: `Look again with \`handoff attach ${shortId(task.id)}\`; \`handoff host check ${host}\` tells whether it can be reached.`,
    })
  throw new AppError({
    code: 'executor_gone',
    message: `${file} could not show the session ${tmux.session}${result.exitCode === undefined ? ` (${file} is not installed)` : ''}.`,
    hint: `Try it by hand: ${argv.map(quoteArgument).join(' ')}`,
  })
}

/** The program that shows a session: tmux here (in the same tmux: switch-client), ssh with a terminal elsewhere. */
export function attachCommand({
  address,
  sshConfig,
  session,
  socketDir,
  insideTmux,
}: {
  address: HostAddress
  sshConfig?: string | undefined
  session: string
  socketDir: string | undefined
  insideTmux: boolean
}): string[] {
  const target = `=${session}`
  if (address.kind === 'local') {
    // A client of one tmux server cannot show a session of another, so only the default server is switched.
    if (insideTmux && socketDir === undefined) return ['tmux', 'switch-client', '-t', target]
    return ['tmux', 'attach-session', '-t', target]
  }
  return sshAttachArgv({ address, sshConfig, session, socketDir })
}
