import { realpath } from 'node:fs/promises'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import { shortId, type Task } from '../../shared/domain/task.ts'
import type { CallInput } from '../../shared/protocol.ts'
import { snapshotUncommitted } from '../../shared/node/git/dirty.ts'
import { findTopLevel } from '../../shared/node/git/repository.ts'
import { resolveCommit } from '../../shared/node/git/revision.ts'
import { allChangedPaths, readChanges } from '../../shared/node/git/status.ts'
import { printJson, usageError, type AddCommand, type Context } from '../context.ts'
import { again, callAgain } from '../hosts/retry.ts'
import { size } from '../output/time.ts'
import { visibleLine } from '../../shared/domain/visible.ts'
import { newRequestId } from '../request-id.ts'
import { planTitle } from '../../shared/domain/plan-title.ts'
import { readPlan } from '../tasks/plan.ts'
import { sendCode, type SendProgress } from '../../shared/node/hosts/send-code.ts'
import { taskOut } from '../tasks/task-out.ts'
import { attachTo } from './attach.ts'

interface Options {
  prompt?: string
  target?: string
  repo?: string
  executor?: string
  base?: string
  branch?: string
  title?: string
  model?: string
  inPlace?: true
  allowDirty?: true
  includeDirty?: true
  attach?: true
}

/** `handoff dispatch`: hands a plan to an executor, here or on another host; the code travels with it. */
export const addDispatch: AddCommand = (program, runner) => {
  program
    .command('dispatch')
    .description('hand a plan to an executor')
    .argument('[plan]', 'a Markdown file, or - for the input')
    .option('-p, --prompt <text>', 'the plan as text')
    .option('-t, --target <host>', 'where it is carried out (default: this machine)')
    .option('--repo <path>', 'the repository (default: the one you are in)')
    .option('-e, --executor <name>', 'who carries it out (default: the first one that is there)')
    .option('--base <revision>', 'where the work starts (default: HEAD)')
    .option('--branch <name>', 'name of the branch (default: handoff/<id>-<title>)')
    .option('--title <text>', 'title (default: the first heading of the plan)')
    .option('--model <name>', 'model for the executor')
    .option('--in-place', 'work in the repository itself instead of a worktree of its own')
    .option('--allow-dirty', 'with --in-place: although files are uncommitted')
    .option('--include-dirty', 'take uncommitted files along, as a commit on the branch of the task only')
    .option('--attach', 'look at the agent’s screen afterwards')
    .addHelpText('after', '\nExample:\n  handoff dispatch plan.md --target devbox --executor opencode')
    .action(runner.run(dispatch))
}

async function dispatch(context: Context, options: Options, file: string | undefined): Promise<void> {
  checkOptions(context, options)
  const { out } = context
  const plan = await readPlan({ file, prompt: options.prompt, cwd: context.cwd, input: context.input })
  const host = options.target ?? context.host ?? 'local'
  if (host !== 'local') context.hosts.get(host)
  const code = await localCode(context, options)
  // The plan itself is handed over; that its file stays is no news.
  const planFile = file === undefined ? undefined : resolve(context.cwd, file)
  warnLeftBehind(
    context,
    code.leftBehind.filter((path) => resolve(code.repoPath, path) !== planFile),
  )
  const sent = await deliverCode(context, { host, repoPath: code.repoPath, commit: code.base })
  const executor = await chooseExecutor(context, host, options.executor)
  const task = await dispatchOnce(context, host, {
    title: options.title ?? planTitle(plan),
    plan,
    executor,
    repo: sent.repo,
    ...(options.inPlace === true && options.base === undefined ? {} : { base: code.base }),
    ...(options.branch === undefined ? {} : { branch: options.branch }),
    inPlace: options.inPlace === true,
    allowDirty: options.allowDirty === true,
    origin: { clientId: context.clientId, machine: hostname().slice(0, 255), repoPath: code.repoPath },
    ...(options.model === undefined ? {} : { model: options.model }),
  })
  context.dispatched.save({ taskId: task.id, host, repoPath: code.repoPath, branch: task.branch })
  context.known.note(host, task)
  const next = [
    `handoff wait ${shortId(task.id)}`,
    `handoff show ${shortId(task.id)}`,
    `handoff attach ${shortId(task.id)}`,
  ]
  if (out.json)
    await printJson(context, 'dispatch', {
      v: 1,
      task: taskOut(host, task),
      leftBehind: code.leftBehind,
      included: code.included,
      ...(sent.sentBytes === undefined ? {} : { sentBytes: sent.sentBytes }),
      next,
    })
  else
    await printDispatched(context, { task, host, included: code.included, sentBytes: sent.sentBytes, next })
  if (options.attach === true) await attachTo(context, { host, task })
}

function checkOptions({ host, out }: Context, options: Options): void {
  if (options.target !== undefined && host !== undefined && options.target !== host)
    throw usageError(`--target ${options.target} and --host ${host} name two hosts.`, 'Give one of them.')
  const remote = (options.target ?? host ?? 'local') !== 'local'
  if (options.inPlace === true && remote) throw usageError('--in-place works on this machine only.')
  if (options.inPlace === true && options.includeDirty === true)
    throw usageError(
      '--in-place works on the files as they are; --include-dirty has no meaning there.',
      'Use --allow-dirty.',
    )
  if (options.allowDirty === true && options.inPlace !== true)
    throw usageError(
      '--allow-dirty belongs to --in-place.',
      'To take uncommitted files along, use --include-dirty.',
    )
  if (options.attach === true && out.json)
    throw usageError('--attach needs a screen and does not go with --json.')
}

interface LocalCode {
  repoPath: string
  base: string
  leftBehind: string[]
  included: string[]
}

async function localCode({ cwd, signal }: Context, options: Options): Promise<LocalCode> {
  const repoPath = await realpath(await findTopLevel({ cwd: resolve(cwd, options.repo ?? '.'), signal }))
  const base = await resolveCommit({ cwd: repoPath, revision: options.base ?? 'HEAD', signal }).catch(
    (error: unknown) => {
      if (options.base !== undefined || !(error instanceof AppError) || error.code !== 'git.unknown_revision')
        throw error
      throw new AppError(
        {
          code: 'git.unknown_revision',
          message: `The repository ${repoPath} has no commit yet.`,
          hint: 'Make a first commit (`git commit --allow-empty -m start`), then dispatch again.',
        },
        { cause: error },
      )
    },
  )
  if (options.inPlace === true) return { repoPath, base, leftBehind: [], included: [] }
  if (options.includeDirty === true) {
    const snapshot = await snapshotUncommitted({
      cwd: repoPath,
      base,
      message: 'Uncommitted changes at dispatch',
      signal,
    })
    if (snapshot.kind === 'clean') return { repoPath, base, leftBehind: snapshot.leftBehind, included: [] }
    return { repoPath, base: snapshot.commit, leftBehind: snapshot.leftBehind, included: snapshot.files }
  }
  return {
    repoPath,
    base,
    leftBehind: allChangedPaths(await readChanges({ cwd: repoPath, signal })),
    included: [],
  }
}

const NAMED_FILES = 10

function warnLeftBehind({ out }: Context, files: readonly string[]): void {
  if (files.length === 0) return
  const { yellow, dim } = out.errorStyle
  const names = files.slice(0, NAMED_FILES).map((file) => `    ${visibleLine(file)}`)
  if (files.length > NAMED_FILES) names.push(dim(`    … and ${files.length - NAMED_FILES} more`))
  const count = files.length === 1 ? '1 uncommitted file stays' : `${files.length} uncommitted files stay`
  out.note([`${yellow('!')} ${count} here (--include-dirty takes them along):`, ...names].join('\n'))
}

async function deliverCode(
  context: Context,
  { host, repoPath, commit }: { host: string; repoPath: string; commit: string },
): Promise<{ repo: { kind: 'path'; path: string } | { kind: 'clone'; key: string }; sentBytes?: number }> {
  if (host === 'local') return { repo: { kind: 'path', path: repoPath } }
  const progress = context.out.progress(`Connecting to ${host}`)
  try {
    const { signal } = context
    const onProgress = (step: SendProgress) => progress.update(sendWords(step))
    const { key, sentBytes } = await again({ ...context, host }, (client) =>
      sendCode({ client, repoPath, commit, signal, onProgress }),
    )
    return { repo: { kind: 'clone', key }, sentBytes }
  } finally {
    progress.stop()
  }
}

/** A request carries one id through all its attempts, so the host carries it out once. */
async function dispatchOnce(
  context: Context,
  host: string,
  input: Omit<CallInput<'task.dispatch'>, 'requestId'>,
): Promise<Task> {
  const request = { requestId: newRequestId(), ...input }
  try {
    return (await callAgain({ ...context, host }, 'task.dispatch', request)).task
  } catch (error) {
    const unclear =
      error instanceof AppError && (error.code === 'connection_lost' || error.code === 'cancelled')
    if (!unclear) throw error
    const message = `Whether ${host} has begun the task is not known: ${error.message}`
    const hint = `Look with \`handoff --host ${host} tasks\` before dispatching again.`
    // Who pressed Ctrl-C gets no error text, but this they must know.
    if (context.signal.aborted) context.out.note(`${context.out.errorStyle.yellow('!')} ${message} ${hint}`)
    throw new AppError({ code: 'connection_lost', message, hint }, { cause: error })
  }
}

async function chooseExecutor(context: Context, host: string, named: string | undefined): Promise<string> {
  const chosen = named ?? context.env['HANDOFF_EXECUTOR']
  if (chosen !== undefined && chosen !== '') return chosen
  const { executors } = await callAgain({ ...context, host }, 'host.info', {})
  const real = executors.find((one) => one.available && one.name !== 'demo')
  if (real !== undefined) return real.name
  const problems = executors.flatMap((one) =>
    one.problem === undefined ? [] : [`${one.name}: ${one.problem}`],
  )
  throw new AppError({
    code: 'executor_missing',
    message: `No coding agent was found on ${host}.`,
    hint: [...problems, 'Install opencode, or try the scripted one with --executor demo.'].join('\n'),
  })
}

async function printDispatched(
  { out }: Context,
  {
    task,
    host,
    included,
    sentBytes,
    next,
  }: { task: Task; host: string; included: string[]; sentBytes: number | undefined; next: string[] },
): Promise<void> {
  const { bold, green, dim } = out.style
  const where = host === 'local' ? '' : ` on ${host}`
  await out.line(`${green('✓')} ${bold(shortId(task.id))}  ${visibleLine(task.title)}`)
  await out.line(`  ${task.executor}${where} · ${dim(task.branch)}`)
  if (included.length > 0)
    await out.line(
      `  ${included.length} uncommitted file${included.length === 1 ? '' : 's'} taken along as a commit`,
    )
  if (sentBytes !== undefined && sentBytes > 0) await out.line(`  ${size(sentBytes)} of commits sent`)
  await out.line(`\n${dim('Next:')}\n${next.map((command) => `  ${command}`).join('\n')}`)
}

function sendWords(progress: SendProgress): string {
  switch (progress.step) {
    case 'asking':
      return 'Asking the host what it has'
    case 'packing':
      return 'Packing the commits the host lacks'
    case 'sending': {
      const percent = Math.floor((progress.sentBytes / progress.totalBytes) * 100)
      return `Sending commits: ${percent} % of ${size(progress.totalBytes)}`
    }
    case 'unpacking':
      return 'The host unpacks'
  }
}
