import { AppError, toWireError } from '../../../shared/errors.ts'
import type { IpcOutput, IpcParsed } from '../../../shared/ipc.ts'
import { findCommit } from '../../../shared/node/git/revision.ts'
import type { HostService } from '../hosts/types.ts'
import { isConnected, requireConnection } from './ask-host.ts'
import { localPath } from './local-path.ts'
import { lookAtRepository, type RepoLook } from './repo-facts.ts'

const TIME_LIMIT_MS = 15_000

type Input = IpcParsed<'task.check'>
type Problem = IpcOutput<'task.check'>['problems'][number]

/** Says what would stop a task before it is dispatched, within 15 seconds; never throws for what it finds. */
export function createDispatchCheck({
  hosts,
  environment,
}: {
  hosts: HostService
  environment: NodeJS.ProcessEnv
}) {
  return async (input: Input): Promise<IpcOutput<'task.check'>> => {
    const signal = AbortSignal.timeout(TIME_LIMIT_MS)
    const [repo, hostProblems] = await Promise.all([
      checkRepository(input, environment, signal),
      checkHost(hosts, input, signal),
    ])
    return {
      ...(repo.look === undefined ? {} : { repo: repo.look.facts }),
      problems: [...hostProblems, ...repo.problems],
    }
  }
}

async function checkHost(
  hosts: HostService,
  { host, executor }: Input,
  signal: AbortSignal,
): Promise<Problem[]> {
  try {
    requireConnection(hosts, host)
  } catch (error) {
    return [stop('host', error)]
  }
  if (hosts.get(host)?.role === 'observer')
    return [
      stop(
        'host',
        new AppError({
          code: 'forbidden',
          message: `This desk may only look at ${host}.`,
          hint: 'Give it a token with another role under Hosts.',
        }),
      ),
    ]
  try {
    const info = await hosts.call(host)('host.info', {}, { signal, timeoutMs: TIME_LIMIT_MS })
    const found = info.executors.find(({ name }) => name === executor)
    if (found?.available === true) return []
    return [stop('executor', missing(host, executor, found?.problem, found === undefined))]
  } catch (error) {
    return [stop(isConnected(hosts, host) ? 'executor' : 'host', hostInTime(host, error))]
  }
}

/** The call was ended by the check's own time limit, not by the person. */
function hostInTime(host: string, error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'cancelled') return error
  return new AppError(
    {
      code: 'timeout',
      message: `${host} has not said in time which executors it has.`,
      hint: 'It may be busy or just starting; try again in a moment.',
    },
    { cause: error },
  )
}

function missing(host: string, executor: string, problem: string | undefined, unknown: boolean): AppError {
  return new AppError({
    code: unknown ? 'executor_unknown' : 'executor_missing',
    message: unknown
      ? `${host} knows no executor called ${executor || '(none)'}.`
      : `${executor} cannot be used on ${host}${problem === undefined ? '' : `: ${problem}`}.`.replace(
          /\.\.$/,
          '.',
        ),
    hint: `Choose another executor, or install it on ${host}.`,
  })
}

async function checkRepository(
  input: Input,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<{ look?: RepoLook; problems: Problem[] }> {
  try {
    const look = await lookAtRepository({ cwd: localPath(input.repoPath, environment), signal })
    return { look, problems: await problemsOf(input, look, signal) }
  } catch (error) {
    return { problems: [stop('repo', inTime(error))] }
  }
}

async function problemsOf(input: Input, look: RepoLook, signal: AbortSignal): Promise<Problem[]> {
  const { host, base, inPlace } = input
  const { facts, hasCommit, shallow } = look
  const problems: Problem[] = []
  if (!hasCommit) problems.push(stop('repo', noCommit(facts.path)))
  else if (
    base !== undefined &&
    (await findCommit({ cwd: facts.path, revision: base, signal })) === undefined
  )
    problems.push(stop('base', unknownBase(base)))
  if (inPlace && host !== 'local') problems.push(stop('worktree', notInPlace(host)))
  if (shallow && host !== 'local') problems.push(warn('repo', shallowRepo()))
  if (facts.dirtyCount > 0)
    problems.push(
      inPlace ? stop('worktree', dirtyInPlace(facts.dirtyCount)) : warn('repo', leftBehind(facts.dirtyCount)),
    )
  if ((facts.behind ?? 0) > 0 && base === undefined)
    problems.push(warn('base', behindUpstream(facts.behind ?? 0)))
  return problems
}

function stop(field: Problem['field'], error: unknown): Problem {
  return { level: 'stop', field, error: toWireError(error) }
}

function warn(field: Problem['field'], error: AppError): Problem {
  return { level: 'warn', field, error: toWireError(error) }
}

/** git that was ended by our own time limit says `cancelled`. */
function inTime(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'cancelled') return error
  return new AppError(
    {
      code: 'timeout',
      message: 'The repository could not be looked at in time.',
      hint: 'A very large or remote folder may be slow the first time; try again.',
    },
    { cause: error },
  )
}

const files = (count: number) => (count === 1 ? '1 uncommitted file' : `${count} uncommitted files`)

function noCommit(path: string): AppError {
  return new AppError({
    code: 'git.unknown_revision',
    message: `The repository ${path} has no commit yet.`,
    hint: 'Make a first commit (`git commit --allow-empty -m start`).',
  })
}

function unknownBase(base: string): AppError {
  return new AppError({
    code: 'git.unknown_revision',
    message: `There is no commit ${JSON.stringify(base.slice(0, 100))} in this repository.`,
    hint: 'Name a branch, a tag or a commit.',
  })
}

function notInPlace(host: string): AppError {
  return new AppError({
    code: 'bad_request',
    message: `Work in the repository itself is possible on this machine only, not on ${host}.`,
    hint: 'Use a worktree.',
  })
}

function shallowRepo(): AppError {
  return new AppError({
    code: 'git.shallow',
    message: 'The history of this repository is cut off; a host that has none of it cannot be sent it.',
    hint: 'Fetch the rest with `git fetch --unshallow`.',
  })
}

function dirtyInPlace(count: number): AppError {
  return new AppError({
    code: 'git.dirty',
    message: `The executor would work among ${files(count)} of yours.`,
    hint: 'Commit them, use a worktree, or allow it.',
    details: { count },
  })
}

function leftBehind(count: number): AppError {
  return new AppError({
    code: 'git.dirty',
    message: `${files(count)} stay here.`,
    hint: 'Take them along, or commit them first.',
    details: { count },
  })
}

function behindUpstream(count: number): AppError {
  return new AppError({
    code: 'git.failed',
    message: `The branch is ${count === 1 ? '1 commit' : `${count} commits`} behind its upstream.`,
    hint: 'Pull first when the task needs them.',
    details: { count },
  })
}
