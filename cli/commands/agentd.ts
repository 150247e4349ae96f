import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { printJson, usageError, type AddCommand, type Context } from '../context.ts'
import { ago, size } from '../output/time.ts'
import { visibleLine } from '../../shared/domain/visible.ts'
import { pause } from '../hosts/retry.ts'
import { installService, uninstallService } from '../service/install.ts'
import { serviceUnit, type ServiceUnit } from '../service/unit.ts'
import { addLogs } from './agentd-logs.ts'
import { addToken } from './agentd-token.ts'
import { hostFacts } from '../output/host-facts.ts'

/** `handoff agentd …`: the daemon of this machine. */
export const addAgentd: AddCommand = (program, runner) => {
  const agentd = program
    .command('agentd')
    .description('the daemon of this machine')
    .addHelpText('after', '\nExample:\n  handoff agentd status')
  agentd
    .command('run')
    .description('run it in the foreground')
    .option('--listen <host:port>', 'also listen on TCP; clients then need a token')
    .option('--yes-public', 'with --listen: although the address is public')
    .addHelpText('after', '\nExample:\n  handoff agentd run --listen 100.64.0.7:7433')
    .action(runner.run(run))
  agentd
    .command('start')
    .description('start it in the background')
    .addHelpText('after', '\nExample:\n  handoff agentd start')
    .action(runner.run(start))
  agentd
    .command('stop')
    .description('stop it; executors go on')
    .addHelpText('after', '\nExample:\n  handoff agentd stop')
    .action(runner.run(stop))
  agentd
    .command('status')
    .description('whether it runs, and with what')
    .addHelpText('after', '\nExample:\n  handoff agentd status')
    .action(runner.run(status))
  addLogs(agentd, runner)
  agentd
    .command('install-service')
    .description('let systemd or launchd keep it running')
    .option('--print', 'only show the file')
    .addHelpText('after', '\nExample:\n  handoff agentd install-service --print')
    .action(runner.run(install))
  agentd
    .command('uninstall-service')
    .description('take it back from systemd or launchd')
    .addHelpText('after', '\nExample:\n  handoff agentd uninstall-service')
    .action(runner.run(uninstall))
  addToken(agentd, runner)
}

async function run(context: Context, options: { listen?: string; yesPublic?: true }): Promise<number> {
  const args = [
    '--no-warnings=ExperimentalWarning',
    context.agentdScript,
    'run',
    '--home',
    context.home,
    ...(options.listen === undefined ? [] : ['--listen', options.listen]),
    ...(options.yesPublic === true ? ['--yes-public'] : []),
  ]
  const child = spawn(process.execPath, args, { stdio: 'inherit', env: { ...context.env } })
  const forward = () => void child.kill('SIGTERM')
  process.on('SIGTERM', forward)
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (exitCode, exitSignal) => resolve([exitCode, exitSignal]))
  })
  process.off('SIGTERM', forward)
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal])
}

async function start(context: Context): Promise<void> {
  const progress = context.out.progress('Starting agentd')
  const { kind } = await context.connector.start().finally(() => progress.stop())
  const info = await (await context.fleet.open('local')).call('host.info', {})
  if (context.out.json)
    return printJson(context, 'agentd start', {
      v: 1,
      started: kind === 'ready',
      pid: info.pid,
      home: info.home,
    })
  await context.out.line(
    `${context.out.style.green('✓')} agentd ${kind === 'ready' ? 'runs' : 'ran already'} (pid ${info.pid}, home ${visibleLine(info.home)})`,
  )
}

const STOP_TIMEOUT_MS = 15_000

async function stop(context: Context): Promise<number | void> {
  const client = await context.connector.openRunning()
  if (client === undefined) {
    if (context.out.json) return printJson(context, 'agentd stop', { v: 1, stopped: false })
    return context.out.line('agentd does not run.')
  }
  const { pid, openTasks } = await client.call('host.info', {})
  await client.call('agentd.stop', {})
  await client.close()
  const deadline = Date.now() + STOP_TIMEOUT_MS
  while (isAlive(pid) && Date.now() < deadline) await pause(50)
  if (context.out.json) return printJson(context, 'agentd stop', { v: 1, stopped: !isAlive(pid) })
  if (isAlive(pid)) {
    context.out.note(`${context.out.errorStyle.yellow('!')} agentd (pid ${pid}) is still finishing.`)
    return 1
  }
  const rest =
    openTasks === 0
      ? ''
      : `; ${openTasks} open ${openTasks === 1 ? 'task goes on and is' : 'tasks go on and are'} picked up at the next start`
  await context.out.line(`${context.out.style.green('✓')} agentd is stopped${rest}`)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false
    throw error
  }
}

async function status(context: Context): Promise<number | void> {
  const remote = context.host !== undefined && context.host !== 'local'
  const client = remote
    ? await context.fleet.open(context.host ?? 'local')
    : await context.connector.openRunning()
  if (client === undefined) {
    if (context.out.json) await printJson(context, 'agentd status', { v: 1, running: false })
    else
      await context.out.line(
        `agentd does not run for ${visibleLine(context.home)}.\n  Start it: handoff agentd start`,
      )
    return 1
  }
  const info = await client.call('host.info', {}).finally(() => client.close())
  if (context.out.json) return printJson(context, 'agentd status', { v: 1, running: true, info })
  const { style } = context.out
  await context.out.line(
    `${style.green('●')} ${style.bold(visibleLine(info.name))}  agentd ${info.version}, pid ${info.pid}, up ${ago(info.startedAt, context.now()).replace(' ago', '')}`,
  )
  for (const line of hostFacts(info, style)) await context.out.line(line)
  await context.out.line(`  ${style.dim('database')}     ${size(info.databaseBytes)}`)
}

function unitOf(context: Context): ServiceUnit {
  const configHome = context.env['XDG_CONFIG_HOME']
  const program = { node: process.execPath, script: context.agentdScript, home: context.home }
  const unit = serviceUnit(
    process.platform,
    program,
    configHome === undefined || configHome === '' ? {} : { configHome },
  )
  if (unit === undefined)
    throw usageError('This system has neither systemd nor launchd.', 'Commands start agentd by themselves.')
  return unit
}

async function install(context: Context, options: { print?: true }): Promise<void> {
  const unit = unitOf(context)
  const { kind, path, text } = unit
  const written = options.print !== true
  const notes = written ? await installService(unit, { home: context.home }) : []
  if (context.out.json)
    return printJson(context, 'agentd install-service', { v: 1, kind, path, text, written })
  if (!written) return context.out.write(`# ${path}\n${text}`)
  await context.out.line(
    `${context.out.style.green('✓')} ${join(path)} is in force; agentd starts with your session`,
  )
  for (const note of notes) context.out.note(`${context.out.errorStyle.yellow('!')} ${note}`)
}

async function uninstall(context: Context): Promise<void> {
  const unit = unitOf(context)
  const { removed } = await uninstallService(unit)
  if (context.out.json)
    return printJson(context, 'agentd uninstall-service', { v: 1, kind: unit.kind, path: unit.path, removed })
  await context.out.line(
    removed ? `${context.out.style.green('✓')} ${unit.path} is removed` : 'No service was installed.',
  )
}
