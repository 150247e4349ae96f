import { statfs } from 'node:fs/promises'
import { execa } from 'execa'
import { isFitNode, OLDEST_NODE } from '../../shared/domain/fit-node.ts'
import { displayWidth, padEnd } from '../../shared/domain/text-width.ts'
import { AppError } from '../../shared/errors.ts'
import type { CallOutput } from '../../shared/protocol.ts'
import { printJson, type AddCommand, type Context } from '../context.ts'
import { checkHost } from '../hosts/check-host.ts'
import { size } from '../output/time.ts'
import { visibleLine } from '../../shared/domain/visible.ts'
import { wrapPath, wrapSentences } from '../output/wrap.ts'

/** One finding: fine, worth a look, or in the way; with what to do. */
export interface Check {
  name: string
  level: 'ok' | 'warn' | 'fail'
  message: string
  fix?: string
}

/** `handoff doctor`: what is fit and what is not, and what to do. */
export const addDoctor: AddCommand = (program, runner) => {
  program
    .command('doctor')
    .description('check this machine and the hosts')
    .addHelpText('after', '\nExample:\n  handoff doctor')
    .action(runner.run(doctor))
}

async function doctor(context: Context): Promise<number | void> {
  const progress = context.out.progress('Looking around')
  const checks = await allChecks(context).finally(() => progress.stop())
  const ok = checks.every((check) => check.level !== 'fail')
  if (context.out.json) await printJson(context, 'doctor', { v: 1, ok, checks })
  else {
    const nameColumns = Math.max(...checks.map(({ name }) => displayWidth(name)))
    for (const check of checks) await context.out.line(checkText(context, check, nameColumns))
  }
  return ok ? undefined : 1
}

function checkText({ out }: Context, { name, level, message, fix }: Check, nameColumns: number): string {
  const { style } = out
  const indent = ' '.repeat(nameColumns + 4)
  const broken = (text: string, more = '') => {
    // A list of folders has no spaces at which it could be broken.
    const wrapped = /^\/[^ ]*:\//.test(text) ? wrapPath : wrapSentences
    return wrapped(visibleLine(text), out.columns - indent.length - more.length).join(`\n${indent}${more}`)
  }
  const glyph = { ok: style.green('✓'), warn: style.yellow('!'), fail: style.red('✗') }[level]
  const line = `${glyph} ${style.bold(padEnd(name, nameColumns))}  ${broken(message)}`
  return fix === undefined ? line : `${line}\n${indent}${style.yellow('→')} ${broken(fix, '  ')}`
}

async function allChecks(context: Context): Promise<Check[]> {
  const [git, tmux, ssh, disk, agentd, hosts] = await Promise.all([
    checkProgram({
      name: 'git',
      args: ['--version'],
      least: [2, 31],
      need: 'fail',
      use: 'Tasks work on git branches.',
    }),
    checkProgram({ name: 'tmux', args: ['-V'], least: [3, 0], need: 'fail', use: 'Executors live in tmux.' }),
    checkProgram({
      name: 'ssh',
      args: ['-V'],
      least: [7, 0],
      need: 'warn',
      use: 'Hosts with ssh:// are reached with it.',
    }),
    checkDisk(context.home),
    checkAgentd(context),
    Promise.all(context.hosts.list().map(async ({ name }) => hostLine(await checkHost(context, name)))),
  ])
  return [checkNode(), git, tmux, ssh, disk, ...agentd, ...hosts]
}

function hostLine({ name, ok, message, fix }: Awaited<ReturnType<typeof checkHost>>): Check {
  return { name: `host ${name}`, level: ok ? 'ok' : 'warn', message, ...(fix === undefined ? {} : { fix }) }
}

function checkNode(): Check {
  const message = `${process.versions.node} (${process.execPath})`
  return isFitNode(process.versions.node)
    ? { name: 'node', level: 'ok', message }
    : { name: 'node', level: 'fail', message, fix: `Handoff needs Node.js ${OLDEST_NODE} or newer.` }
}

async function checkProgram({
  name,
  args,
  least: [leastMajor, leastMinor],
  need,
  use,
}: {
  name: string
  args: string[]
  least: [number, number]
  need: 'warn' | 'fail'
  use: string
}): Promise<Check> {
  const result = await execa(name, args, { reject: false, stdin: 'ignore', timeout: 10_000, all: true })
  if (result.code === 'ENOENT')
    return {
      name,
      level: need,
      message: `is not installed. ${use}`,
      fix: `Install ${name} (for example: apt install ${name}, brew install ${name}).`,
    }
  const version = result.all.trim().split('\n')[0] ?? ''
  const numbers = /(\d+)\.(\d+)/.exec(version)
  const [major, minor] = [Number(numbers?.[1] ?? 0), Number(numbers?.[2] ?? 0)]
  if (result.exitCode !== 0)
    return {
      name,
      level: need,
      message: `does not work: ${version}`,
      fix: `Run \`${name} ${args.join(' ')}\` to see why.`,
    }
  const old = major < leastMajor || (major === leastMajor && minor < leastMinor)
  if (old && numbers !== null)
    return {
      name,
      level: 'warn',
      message: `${version} is old`,
      fix: `Update ${name} to ${leastMajor}.${leastMinor} or newer.`,
    }
  return { name, level: 'ok', message: version }
}

const LOW_BYTES = 2 * 1024 ** 3
const TOO_LOW_BYTES = 200 * 1024 ** 2

async function checkDisk(home: string): Promise<Check> {
  const stats = await statfs(home)
  const freeBytes = Number(stats.bavail) * Number(stats.bsize)
  const message = `${size(freeBytes)} free for ${home}`
  const fix = '`handoff gc` clears away what ended tasks left behind.'
  if (freeBytes < TOO_LOW_BYTES) return { name: 'disk', level: 'fail', message, fix }
  return freeBytes < LOW_BYTES
    ? { name: 'disk', level: 'warn', message, fix }
    : { name: 'disk', level: 'ok', message }
}

async function checkAgentd({ fleet }: Context): Promise<Check[]> {
  try {
    const client = await fleet.open('local')
    const info = await client.call('host.info', {})
    return [
      { name: 'agentd', level: 'ok', message: `${info.version}, pid ${info.pid}, home ${info.home}` },
      ...executorsView(info),
    ]
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return [
      {
        name: 'agentd',
        level: 'fail',
        message: `${error.message} [${error.code}]`,
        ...(error.hint === undefined ? {} : { fix: error.hint }),
      },
    ]
  }
}

/** What executors find when agentd starts them. */
function executorsView(info: CallOutput<'host.info'>): Check[] {
  const checks: Check[] = [
    { name: 'PATH of executors', level: 'ok', message: info.path },
    {
      name: 'proxies of executors',
      level: 'ok',
      message: info.proxies.length === 0 ? 'none' : `${info.proxies.join(', ')} (values are not shown)`,
    },
  ]
  if (info.tmux === undefined)
    checks.push({
      name: 'tmux for agentd',
      level: 'fail',
      message: 'is not in the PATH above',
      fix: 'Install tmux, then restart: handoff agentd stop && handoff agentd start',
    })
  for (const file of info.environmentFiles)
    checks.push(
      file.problem === undefined
        ? { name: `environment of ${file.executor}`, level: 'ok', message: file.path }
        : {
            name: `environment of ${file.executor}`,
            level: 'fail',
            message: file.problem,
            fix: `Repair ${file.path}.`,
          },
    )
  checks.push(...info.executors.flatMap(executorChecks))
  if (info.executors.every((one) => !one.available || one.name === 'demo'))
    checks.push({
      name: 'executors',
      level: 'warn',
      message: 'no coding agent is installed',
      fix: 'Install opencode; until then only `--executor demo` works.',
    })
  return checks
}

function executorChecks(one: CallOutput<'host.info'>['executors'][number]): Check[] {
  const name = `executor ${one.name}`
  // What the demo executor notes is no trouble, only what it is.
  if (one.name === 'demo' && one.available) return [{ name, level: 'ok', message: one.notes.join('; ') }]
  const notes = one.notes.map((message): Check => ({ name, level: 'warn', message }))
  if (one.available)
    return [
      {
        name,
        level: 'ok',
        message: `${one.version ?? 'there'}${one.path === undefined ? '' : ` (${one.path})`}`,
      },
      ...notes,
    ]
  const fix = 'Install it where the PATH above finds it, then: handoff agentd stop && handoff agentd start'
  return [{ name, level: 'warn', message: one.problem ?? 'is not there', fix }, ...notes]
}
