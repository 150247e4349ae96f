import { hostname, userInfo } from 'node:os'
import path from 'node:path'
import { AppError } from '../../shared/errors.ts'
import {
  askDesk,
  readDeskClaim,
  type DeskAddress,
  type DeskClaim,
  type DeskSession,
} from '../../shared/node/desk-control.ts'
import { printJson, usageError, type AddCommand, type Context } from '../context.ts'
import { browserProgram, openInBrowser } from '../desk/open-browser.ts'
import { ownCommand } from '../desk/own-command.ts'
import { serveDesk } from '../desk/serve-desk.ts'
import { renderTable, type Column } from '../output/table.ts'
import { ago } from '../output/time.ts'
import { visibleLine } from '../../shared/domain/visible.ts'
import { refuseAgent } from '../person/person.ts'

/** `handoff ui`: the desk in a browser. */
export const addUi: AddCommand = (program, runner) => {
  const ui = program
    .command('ui')
    .description('the desk in your browser')
    .addHelpText(
      'after',
      '\nExamples:\n  handoff ui\n  handoff ui --port 7440 --no-open\n  handoff ui sessions',
    )
  ui.command('open', { isDefault: true })
    .description('open the desk in a browser; serves until Ctrl-C')
    .option('--port <number>', 'serve on this port of 127.0.0.1')
    .option('--no-open', 'only print the address')
    .addHelpText('after', '\nExample:\n  handoff ui --port 7440 --no-open')
    .action(runner.run(open))
  ui.command('sessions')
    .description('list the browsers that are signed in')
    .addHelpText('after', '\nExample:\n  handoff ui sessions')
    .action(runner.run(sessions))
  ui.command('revoke')
    .description('sign a browser out at once')
    .argument('<session>', 'its id or a beginning of it')
    .addHelpText('after', '\nExample:\n  handoff ui revoke 3fa2')
    .action(runner.run(revoke))
}

async function open(context: Context, options: { port?: string; open: boolean }): Promise<number | void> {
  refuseAgent(context.seat, {
    what: 'Opening the desk',
    otherwise:
      'The desk decides as the person does. Ask the person to run `handoff ui` in a shell of their own.',
  })
  const port = options.port === undefined ? undefined : portOf(options.port)
  const claim = readDeskClaim(context.home)
  const running = claim === undefined ? undefined : await askDesk(claim, { ask: 'ticket' })
  if (running !== undefined) {
    if (port !== undefined && port !== running.port)
      context.out.note(`The desk of this home runs already, on port ${running.port}.`)
    return announce(context, { address: running, show: options.open, already: true })
  }
  const progress = context.out.progress('Opening the desk')
  const served = await serveDesk(context, { port, signal: context.signal }).finally(() => progress.stop())
  await announce(context, { address: served.address, show: options.open, already: false })
  return served.ended
}

function portOf(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port
  throw usageError(`${text} is not a port.`, 'Ports are numbers from 1 to 65535.')
}

async function announce(
  context: Context,
  { address, show, already }: { address: DeskAddress; show: boolean; already: boolean },
): Promise<void> {
  const { out, env, home } = context
  const { url, port } = address
  const program = show ? browserProgram(env) : undefined
  const shown = program !== undefined && (await openInBrowser(program, { url, home, env }))
  if (out.json) return printJson(context, 'ui open', address)
  const { style } = out
  await out.line(`${style.green('✓')} The desk ${already ? 'runs already' : 'is open'}: ${style.bold(url)}`)
  const notes = [
    `The address is good for one sign-in within two minutes. For another one: ${ownCommand({ distFolder: path.dirname(context.agentdScript), home, env })} ui`,
    ...(shown
      ? []
      : [
          `From another machine: ssh -L ${port}:127.0.0.1:${port} ${visibleLine(userInfo().username)}@${visibleLine(hostname())}`,
          'and open the address there.',
        ]),
    ...(already ? [] : ['Ctrl-C closes it; agentd and the tasks go on.']),
  ]
  for (const note of notes) await out.line(`  ${style.dim(note)}`)
}

/** The browser shell of this home; throws when none runs. */
function requireClaim(context: Context): DeskClaim {
  const claim = readDeskClaim(context.home)
  if (claim === undefined) throw notRunning()
  return claim
}

function notRunning(): AppError {
  return new AppError({
    code: 'desk_not_running',
    message: 'The desk of this home does not run in a browser.',
    hint: 'Open it with `handoff ui`.',
  })
}

async function listSessions(claim: DeskClaim): Promise<DeskSession[]> {
  const answer = await askDesk(claim, { ask: 'sessions' })
  if (answer === undefined) throw notRunning()
  return answer.sessions
}

async function sessions(context: Context): Promise<void> {
  const list = await listSessions(requireClaim(context))
  if (context.out.json) return printJson(context, 'ui sessions', { v: 1, sessions: list })
  if (list.length === 0) return context.out.line('No browser is signed in.')
  const { style } = context.out
  const now = context.now()
  const columns: Column<DeskSession>[] = [
    { title: 'SESSION', cell: ({ id }) => visibleLine(id), paint: style.bold },
    { title: 'PAGES', cell: ({ windows }) => String(windows) },
    { title: 'SIGNED IN', cell: ({ createdAt }) => ago(createdAt, now) },
    { title: 'LAST SEEN', cell: ({ lastSeenAt }) => ago(lastSeenAt, now) },
    { title: 'BROWSER', cell: ({ agent }) => visibleLine(agent), paint: style.dim, shrinkTo: 20 },
  ]
  for (const line of renderTable(columns, list, { columns: context.out.columns, header: style.dim }))
    await context.out.line(line)
}

async function revoke(context: Context, _options: object, ref: string): Promise<void> {
  const claim = requireClaim(context)
  const fits = (await listSessions(claim)).filter(({ id }) => id.startsWith(ref))
  const [session, ...others] = fits
  if (session === undefined || others.length > 0)
    throw new AppError({
      code: 'session_not_found',
      message:
        session === undefined ? `No session begins with ${ref}.` : `${ref} fits ${fits.length} sessions.`,
      hint: '`handoff ui sessions` lists them.',
    })
  const answer = await askDesk(claim, { ask: 'revoke', id: session.id })
  if (answer === undefined) throw notRunning()
  if (context.out.json) return printJson(context, 'ui revoke', { v: 1, id: session.id, ...answer })
  const pages = answer.closedWindows === 1 ? '1 page was' : `${answer.closedWindows} pages were`
  await context.out.line(
    `${context.out.style.green('✓')} Session ${visibleLine(session.id)} is signed out; ${pages} closed`,
  )
}
