import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Task } from '../../shared/domain/task.ts'
import { AppError } from '../../shared/errors.ts'
import { readContainedFile } from '../../shared/node/contained-file.ts'
import { createBundle } from '../../shared/node/git/bundle-create.ts'
import { diffNames, diffStat, streamDiff } from '../../shared/node/git/diff.ts'
import { branchTip } from '../../shared/node/git/repository.ts'
import type { ParsedInput } from '../../shared/protocol.ts'
import type { CallContext, SomeHandlers } from '../server/call-context.ts'
import type { Store } from '../store/store.ts'
import { recordAct } from '../tasks/audit.ts'
import type { Engine } from '../tasks/engine.ts'
import { resolveTask } from '../tasks/resolve.ts'
import { commandLine, runInWorktree } from '../tasks/run-command.ts'
import { workFactsOf } from './work-facts.ts'

const MAX_DIFF_BYTES = 256 * 1024 * 1024
const MAX_FETCH_BYTES = 256 * 1024 * 1024

interface Needs {
  store: Store
  now: () => number
  /** Folder for files in passing, 0700. */
  incoming: string
  environment(executor: string, taskId: string): Promise<Readonly<Record<string, string>>>
  ran: Engine['acts']['ran']
}

/** Calls that read a task's worktree or run something in it. */
export function createFileHandlers(
  needs: Needs,
): SomeHandlers<'task.diff' | 'task.fetch' | 'task.bundle' | 'task.run'> {
  const { store, now } = needs
  return {
    'task.diff': (input, context) => sendDiff(store, input, context),
    'task.fetch': async ({ task: ref, path: file }, context) => {
      const task = resolveTask(store, ref)
      const { bytes, sizeBytes } = await readContainedFile({
        root: task.worktree,
        path: file,
        maxBytes: MAX_FETCH_BYTES,
      })
      await context.write(bytes, 'bytes')
      return { sizeBytes }
    },
    'task.bundle': ({ task, haves }, context) => sendBundle(needs, resolveTask(store, task), haves, context),
    'task.run': async ({ task: ref, argv, timeoutMs }, context) => {
      const task = resolveTask(store, ref)
      store.transaction(() =>
        recordAct(
          { store, now },
          { decision: 'run', by: context.actor, text: argv.join(' '), taskId: task.id },
        ),
      )
      const environment = await needs.environment(task.executor, task.id)
      const { signal, write, actor: by } = context
      const ended = await runInWorktree({ argv, cwd: task.worktree, environment, timeoutMs, signal, write })
      const { exitCode, timedOut } = ended
      needs.ran(task.id, { command: commandLine(argv), exitCode, timedOut, by })
      return ended
    },
  }
}

/** The two ends of a diff: a round against the one before it (or `against`), or everything since the base. */
function endsOf(
  store: Store,
  task: Task,
  round: number | undefined,
  against: number | undefined,
): { from: string; to: string | undefined } {
  const rounds = store.tasks.rounds(task.id)
  const endOf = (number: number): string => {
    if (number === 0) return task.base
    const found = rounds.find((entry) => entry.round === number)
    if (found) return found.to
    throw new AppError({
      code: 'bad_request',
      message: `The task has no finished round ${number}.`,
      hint:
        rounds.length === 0
          ? 'No round is finished yet.'
          : `Finished rounds: ${rounds.map((entry) => entry.round).join(', ')}.`,
    })
  }
  if (round === undefined) return { from: against === undefined ? task.base : endOf(against), to: undefined }
  const from =
    against === undefined
      ? (rounds.find((entry) => entry.round === round)?.from ?? task.base)
      : endOf(against)
  return { from, to: endOf(round) }
}

async function sendDiff(store: Store, input: ParsedInput<'task.diff'>, { signal, write }: CallContext) {
  const task = resolveTask(store, input.task)
  const { from, to } = endsOf(store, task, input.round, input.against)
  const over = task.endedAt !== undefined
  const tip = over ? await branchTip({ cwd: task.repo.path, branch: task.branch, signal }) : undefined
  // While the task is open its worktree counts, with what is not committed; afterwards the branch is what is left.
  const call = {
    cwd: over ? task.repo.path : task.worktree,
    from,
    to: to ?? (over ? (tip ?? task.head ?? task.base) : ({ workingTree: true } as const)),
    signal,
  }
  const send = (text: string): Promise<void> => write(Buffer.from(text), 'bytes')
  if (input.mode === 'stat') await send((await diffStat(call)).text)
  else if (input.mode === 'name-only')
    await send((await diffNames(call)).paths.map((name) => `${name}\n`).join(''))
  else {
    const { truncated } = await streamDiff({ ...call, maxBytes: MAX_DIFF_BYTES }, (chunk) =>
      write(chunk, 'bytes'),
    )
    if (truncated)
      throw new AppError({
        code: 'too_large',
        message: 'The diff is larger than 256 MiB.',
        hint: 'Use --stat, or one round.',
      })
  }
  const end = typeof call.to === 'string' ? call.to : undefined
  return {
    from,
    to: end ?? 'worktree',
    uncommitted: end === undefined,
    ...(input.mode === 'full' ? await workFactsOf(task, { from, to: end, signal }) : {}),
  }
}

async function sendBundle(
  { incoming }: Needs,
  task: Task,
  haves: readonly string[],
  { signal, write }: CallContext,
) {
  const commit = await branchTip({ cwd: task.repo.path, branch: task.branch, signal })
  if (commit === undefined)
    throw new AppError({
      code: 'git.unknown_revision',
      message: `The branch ${task.branch} does not exist (any more) on the host.`,
    })
  if (haves.includes(commit)) return { branch: task.branch, commit, nothingNew: true }
  const folder = await mkdtemp(path.join(incoming, 'bundle-'))
  try {
    const bundlePath = path.join(folder, 'out.bundle')
    const outcome = await createBundle({ repoPath: task.repo.path, commit, haves, bundlePath, signal })
    if (outcome.kind === 'nothing_to_send') return { branch: task.branch, commit, nothingNew: true }
    for await (const chunk of createReadStream(bundlePath, { highWaterMark: 256 * 1024 }))
      await write(chunk as Buffer, 'bytes')
    return { branch: task.branch, commit, nothingNew: false }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
