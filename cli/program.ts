import { Command, CommanderError } from 'commander'
import { AppError } from '../shared/errors.ts'
import type { AddCommand, Context, Runner, Work } from './context.ts'
import { addAgentd } from './commands/agentd.ts'
import { addAttach } from './commands/attach.ts'
import { addAudit } from './commands/audit.ts'
import { addCancel } from './commands/cancel.ts'
import { addContinue } from './commands/continue.ts'
import { addDemo } from './commands/demo.ts'
import { addDialStdio } from './commands/dial-stdio.ts'
import { addDiff } from './commands/diff.ts'
import { addDispatch } from './commands/dispatch.ts'
import { addDoctor } from './commands/doctor.ts'
import { addDone } from './commands/done.ts'
import { addEscalate } from './commands/escalate.ts'
import { addFetch } from './commands/fetch.ts'
import { addGc } from './commands/gc.ts'
import { addGuide } from './commands/guide.ts'
import { addHost } from './commands/host.ts'
import { addPull } from './commands/pull.ts'
import { addRepair } from './commands/repair.ts'
import { addReply } from './commands/reply.ts'
import { addRules } from './commands/rules.ts'
import { addRun } from './commands/run.ts'
import { addShow } from './commands/show.ts'
import { addTasks } from './commands/tasks.ts'
import { addUi } from './commands/ui.ts'
import { addWait } from './commands/wait.ts'
import { errorJson, errorText } from './output/error-text.ts'
import { isBrokenPipe } from './output/output.ts'
import { createStyle } from './output/style.ts'
import { processEnvironment } from '../shared/node/process-environment.ts'
import { VERSION } from '../shared/version.ts'

/** Options that every command understands. */
export interface GlobalOptions {
  host?: string
  json?: true
  color?: boolean
  home?: string
}

const EXIT_ERROR = 1
const EXIT_USAGE = 2
/** 128 + SIGINT, as shells have it. */
const EXIT_INTERRUPTED = 130

const COMMANDS: readonly AddCommand[] = [
  addDispatch,
  addWait,
  addReply,
  addEscalate,
  addContinue,
  addDiff,
  addFetch,
  addRun,
  addTasks,
  addShow,
  addAttach,
  addDone,
  addCancel,
  addPull,
  addRepair,
  addGc,
  addAudit,
  addRules,
  addHost,
  addUi,
  addAgentd,
  addDialStdio,
  addDoctor,
  addGuide,
  addDemo,
]

/** The program with all its commands; `runner` decides what an action does. */
export function createProgram(runner: Runner): Command {
  const program = new Command('handoff')
    .description(
      'Hand a plan to a coding agent, here or on another machine, and stay in charge of what it does.',
    )
    .version(VERSION, '-V, --version', 'show the version')
    .option('--host <name>', 'only this host (see `handoff host list`)')
    .option('--json', 'one JSON object in a documented shape (docs/cli.md)')
    .option('--no-color', 'no colours')
    .option('--home <folder>', 'the home folder (default: $HANDOFF_HOME or ~/.handoff)')
    .showHelpAfterError('Run it with --help to see how it is used.')
    .exitOverride()
    .addHelpText(
      'after',
      '\nA first look:\n  handoff demo            plays the whole loop\n  handoff ui              opens the desk in your browser\n  handoff dispatch PLAN.md\n  handoff doctor          is this machine fit?',
    )
  for (const add of COMMANDS) add(program, runner)
  forEachCommand(program, (command) =>
    command.exitOverride().configureHelp({ sortSubcommands: false, showGlobalOptions: true }),
  )
  return program
}

/** Visits a command and all below it. */
export function forEachCommand(command: Command, visit: (command: Command) => void): void {
  visit(command)
  for (const child of command.commands) forEachCommand(child, visit)
}

/** Runs one command line and returns the exit code; never throws and never prints a stack unless HANDOFF_DEBUG=1. */
export async function runProgram(
  argv: readonly string[],
  createContext: (options: GlobalOptions, signal: AbortSignal, clientId: string | undefined) => Context,
): Promise<number> {
  const interrupted = watchInterrupts()
  let exitCode = 0
  const runner: Runner = {
    run<Options, Args extends unknown[]>(
      work: Work<Options, Args>,
      { clientId }: { clientId?: string } = {},
    ) {
      return async (...all: unknown[]) => {
        const command = all.at(-1) as Command
        const context = createContext(command.optsWithGlobals<GlobalOptions>(), interrupted.signal, clientId)
        try {
          exitCode = (await work(context, command.opts() as Options, ...(all.slice(0, -2) as Args))) ?? 0
        } finally {
          await context.fleet.close()
        }
      }
    },
  }
  try {
    await createProgram(runner).parseAsync([...argv], { from: 'user' })
    return exitCode
  } catch (error) {
    return failure(error, { argv, interrupted: interrupted.signal.aborted })
  }
}

/** The first Ctrl-C lets the command end in order; the second one ends it at once. */
function watchInterrupts(): AbortController {
  const controller = new AbortController()
  process.on('SIGINT', () => {
    if (controller.signal.aborted) process.exit(EXIT_INTERRUPTED)
    controller.abort()
  })
  return controller
}

function failure(
  error: unknown,
  { argv, interrupted }: { argv: readonly string[]; interrupted: boolean },
): number {
  // commander has printed its own sentence.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE
  // Whoever read our output has seen enough.
  if (isBrokenPipe(error)) return EXIT_ERROR
  const env = processEnvironment()
  if (interrupted && isCancelled(error)) return EXIT_INTERRUPTED
  const json = argv.slice(0, endOfOptions(argv)).includes('--json')
  const style = createStyle({
    isTerminal: process.stderr.isTTY === true,
    env,
    noColor: argv.includes('--no-color'),
  })
  process.stderr.write(
    `${json ? JSON.stringify(errorJson(error)) : errorText(error, style, process.stderr.isTTY ? process.stderr.columns : undefined)}\n`,
  )
  if (env['HANDOFF_DEBUG'] === '1' && error instanceof Error)
    process.stderr.write(`${error.stack ?? ''}\n${causes(error)}`)
  return error instanceof AppError && error.code === 'usage' ? EXIT_USAGE : EXIT_ERROR
}

function isCancelled(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'cancelled' || error.code === 'connection_lost')
}

function endOfOptions(argv: readonly string[]): number {
  const index = argv.indexOf('--')
  return index < 0 ? argv.length : index
}

function causes(error: Error): string {
  return error.cause instanceof Error
    ? `caused by ${error.cause.stack ?? error.cause.message}\n${causes(error.cause)}`
    : ''
}
