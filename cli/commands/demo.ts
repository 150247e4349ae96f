import { AppError } from '../../shared/errors.ts'
import { printJson, usageError, type AddCommand, type Context } from '../context.ts'
import { createAskingDecider, createAutoDecider } from '../demo/deciders.ts'
import { createNarrator } from '../demo/narrator.ts'
import { play } from '../demo/play.ts'
import { buildStage, type Stage } from '../demo/stage.ts'
import { createConnector } from '../hosts/connect.ts'
import { createDispatchedStore } from '../../shared/node/hosts/dispatched.ts'
import { createFleet } from '../hosts/fleet.ts'
import { createKnownTasks } from '../hosts/known-tasks.ts'
import { pause } from '../hosts/retry.ts'
import { createHostStore } from '../../shared/node/hosts/host-store.ts'
import { VERSION } from '../../shared/version.ts'

interface Options {
  auto?: true
  executor: string
  keep?: true
}

const CLIENT_ID = 'demo-reviewer'

/** `handoff demo`: the whole loop on a real git repository, in a folder that is thrown away. */
export const addDemo: AddCommand = (program, runner) => {
  program
    .command('demo')
    .description('play the whole loop on a small git repository')
    .option('--auto', 'answer by itself; exit code 0 only when every step was really seen')
    .option('--executor <name>', 'demo (scripted) or opencode (real, with a scripted model)', 'demo')
    .option('--keep', 'do not clean up; say where everything is')
    .addHelpText('after', '\nExamples:\n  handoff demo\n  handoff demo --auto --json')
    // Nothing of the demo is kept in the person's home, not even an empty folder.
    .action(runner.run(demo, { clientId: CLIENT_ID }))
}

async function demo(context: Context, options: Options): Promise<number | void> {
  if (options.executor !== 'demo' && options.executor !== 'opencode')
    throw usageError(`The demo cannot be played with ${options.executor}.`, 'Use demo or opencode.')
  const auto = options.auto === true
  if (!auto && (!context.interactive || !context.out.isTerminal))
    throw usageError(
      'The demo asks you at each step, which needs a terminal.',
      'Let it answer by itself: handoff demo --auto',
    )
  const stage = await buildStage({ executor: options.executor, env: context.env })
  const staged = stageContext(context, stage, auto)
  const narrator = createNarrator(context.out)
  try {
    const decider = auto ? createAutoDecider(staged) : createAskingDecider(staged)
    await play({ context: staged, stage, narrator, decider, executor: options.executor, auto })
    const missing = auto ? narrator.missing() : []
    if (missing.length > 0)
      throw new AppError({
        code: 'internal',
        message: `These steps were not seen: ${missing.join(', ')}.`,
        hint: 'Play it again with --keep and look at the logs.',
      })
    if (!context.out.json)
      await context.out.line(
        `\n${context.out.style.green('✓')} That was the whole loop. In a repository of yours it begins with:\n  handoff dispatch PLAN.md`,
      )
  } catch (error) {
    if (context.out.json && error instanceof AppError)
      await printJson(context, 'demo', {
        v: 1,
        step: 'failed',
        ok: false,
        seen: {},
        error: `${error.message} [${error.code}]`,
      })
    throw error
  } finally {
    await strike(context, staged, stage, options.keep === true)
  }
}

/** The same person and terminal, another home: nothing of the demo touches what the person has. */
function stageContext(context: Context, stage: Stage, auto: boolean): Context {
  const hosts = createHostStore(stage.home)
  const known = createKnownTasks(stage.home)
  const connector = createConnector({
    home: stage.home,
    socketPath: stage.socketPath,
    store: hosts,
    clientId: CLIENT_ID,
    name: 'demo',
    version: VERSION,
    agentdScript: context.agentdScript,
    env: stage.env,
    onStarted: () => undefined,
  })
  return {
    ...context,
    home: stage.home,
    socketPath: stage.socketPath,
    clientId: CLIENT_ID,
    hosts,
    known,
    connector,
    interactive: context.interactive && !auto,
    dispatched: createDispatchedStore(stage.home),
    fleet: createFleet({
      store: hosts,
      known,
      only: 'local',
      connect: (host, stop) => connector.open(host, { signal: stop }),
    }),
  }
}

const STOP_TIMEOUT_MS = 15_000

/** Ends the tasks, agentd and tmux of the demo, and removes its folder; also after Ctrl-C. */
async function strike(context: Context, staged: Context, stage: Stage, keep: boolean): Promise<void> {
  const progress = context.out.progress('Cleaning up')
  await staged.fleet.close()
  const client = await staged.connector.openRunning()
  if (client !== undefined) {
    const { pid } = await client.call('host.info', {})
    const { tasks } = await client.call('task.list', { over: false })
    for (const task of tasks)
      await client.call('task.cancel', { requestId: `demo-end-${task.id}`, task: task.id }).catch(ignoreKnown)
    await client.call('agentd.stop', {}).catch(ignoreKnown)
    await client.close()
    await gone(pid)
  }
  await stage.dispose({ keep })
  progress.stop()
  if (keep)
    context.out.note(
      `Kept: ${stage.root}\n  HANDOFF_HOME=${stage.home} TMUX_TMPDIR=${stage.root}/tmux handoff tasks --all`,
    )
}

/** The end goes on: what cannot be cancelled politely ends with its tmux server. */
function ignoreKnown(error: unknown): void {
  if (!(error instanceof AppError)) throw error
}

async function gone(pid: number): Promise<void> {
  const deadline = Date.now() + STOP_TIMEOUT_MS
  while (Date.now() < deadline) {
    try {
      process.kill(pid, 0)
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return
      throw error
    }
    await pause(50)
  }
}
