import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { Actor } from '../../shared/domain/actor.ts'
import { shortId, type Task } from '../../shared/domain/task.ts'
import { AppError } from '../../shared/errors.ts'
import { assertBranchName, taskBranch } from '../../shared/node/git/branch-name.ts'
import { branchTip, findTopLevel, readHead } from '../../shared/node/git/repository.ts'
import { resolveCommit } from '../../shared/node/git/revision.ts'
import { allChangedPaths, readChanges } from '../../shared/node/git/status.ts'
import { whoHasBranch, branchCheckedOut } from '../../shared/node/git/worktree.ts'
import type { CallOutput, ParsedInput } from '../../shared/protocol.ts'
import type { ExecutorAdapter } from '../executors/adapter.ts'
import type { Store } from '../store/store.ts'
import { recordAct } from './audit.ts'
import type { FactLog } from './fact-log.ts'
import { lastSeq } from './answers.ts'
import { plannedWorktree } from './workspace.ts'

interface Needs {
  store: Store
  facts: FactLog
  now: () => number
  home: string
  adapters: ReadonlyMap<string, ExecutorAdapter>
  /** The environment the executor would get; throws `environment_file` with path and line. */
  environment(executor: string): Promise<Readonly<Record<string, string>>>
}

type Input = ParsedInput<'task.dispatch'>

/**
 * Checks everything that would stop a task, and answers with the step that makes it durable (to be run in a transaction).
 * What follows is the lifecycle's.
 */
export function createDispatch({ store, facts, now, home, adapters, environment }: Needs) {
  return async function dispatch(
    input: Input,
    by: Actor,
    signal: AbortSignal,
  ): Promise<() => CallOutput<'task.dispatch'>> {
    await checkExecutor(input.executor)
    const repo = await findRepo(input, signal)
    const id = newTaskId()
    const { base, branch } = await chooseBranch({ id, input, repoPath: repo.path, signal })
    if (input.inPlace && !input.allowDirty) await refuseDirty(repo.path, signal)
    const at = now()
    const draft: Task = {
      id,
      title: input.title,
      state: 'pending',
      executor: input.executor,
      repo,
      ...(input.origin ? { origin: input.origin } : {}),
      worktree: '/',
      inPlace: input.inPlace,
      branch,
      base,
      round: 1,
      dispatchedBy: by,
      createdAt: at,
      updatedAt: at,
      openTickets: 0,
      lastSeq: 0,
    }
    return () => save({ ...draft, worktree: plannedWorktree({ home, task: draft }) }, input, by)
  }

  function save(task: Task, input: Input, by: Actor): CallOutput<'task.dispatch'> {
    return facts.transaction(() => {
      if (task.inPlace) refuseSecondInPlace(task)
      store.tasks.insert(task, {
        plan: input.plan,
        model: input.model,
        keepWorktree: false,
        adapterState: input.allowDirty ? { allowDirty: true } : {},
        cleaned: false,
        stopRequested: false,
      })
      const applied = facts.apply(task.id, { type: 'dispatched', task })
      if (applied.kind === 'refused') throw new Error(`a new task was refused: ${applied.message}`)
      recordAct(
        { store, now },
        { decision: 'dispatch', by, text: input.plan, taskId: task.id, detail: task.title },
      )
      return { task: applied.task, seq: lastSeq(applied) }
    })
  }

  /** Folder, branch and tmux session are named by the first eight digits, so no two tasks may share them. */
  function newTaskId(): string {
    for (;;) {
      const id = randomUUID()
      if (store.tasks.find(shortId(id), 1).length === 0) return id
    }
  }

  /** Two tasks in one working tree would switch each other's branch and commit each other's changes. */
  function refuseSecondInPlace(task: Task): void {
    const other = store.tasks.open().find((open) => open.inPlace && open.repo.path === task.repo.path)
    if (!other) return
    throw new AppError({
      code: 'task_busy',
      message: `Task ${shortId(other.id)} works in place in ${task.repo.path}.`,
      hint: 'Wait for it, or leave --in-place out to get a worktree.',
    })
  }

  async function checkExecutor(name: string): Promise<void> {
    const adapter = adapters.get(name)
    const known = [...adapters.keys()].join(', ')
    if (!adapter)
      throw new AppError({
        code: 'executor_unknown',
        message: `This host has no executor named ${name}.`,
        hint: `It has: ${known}.`,
      })
    const check = await adapter.check(await environment(name))
    if (!check.available)
      throw new AppError({
        code: 'executor_missing',
        message: check.problem ?? `${name} cannot be used on this host.`,
        hint: 'See "handoff doctor" for what is missing.',
      })
  }

  async function findRepo(input: Input, signal: AbortSignal): Promise<Task['repo']> {
    if (input.repo.kind === 'clone') {
      const clone = path.join(home, 'repos', `${input.repo.key}.git`)
      return {
        kind: 'clone',
        key: input.repo.key,
        path: clone,
        name: input.repo.key.replace(/-[0-9a-f]+$/, ''),
      }
    }
    const top = await findTopLevel({ cwd: input.repo.path, signal })
    return { kind: 'path', path: top, name: path.basename(top).slice(0, 200) }
  }
}

async function chooseBranch({
  id,
  input,
  repoPath,
  signal,
}: {
  id: string
  input: Input
  repoPath: string
  signal: AbortSignal
}): Promise<{ base: string; branch: string }> {
  const branch = input.branch ?? taskBranch({ taskId: id, title: input.title })
  assertBranchName(branch)
  const tip = await branchTip({ cwd: repoPath, branch, signal })
  if (tip !== undefined && !input.inPlace) {
    const holder = await whoHasBranch({ cwd: repoPath, branch, signal })
    if (holder) throw branchCheckedOut(branch, holder.path)
  }
  // A named branch that exists is carried on from where it stands.
  const base = tip ?? (await resolveCommit({ cwd: repoPath, revision: input.base ?? 'HEAD', signal }))
  if (input.inPlace && tip === undefined) await refuseOtherBase(repoPath, base, signal)
  return { base, branch }
}

/** In place, the branch begins at what is checked out: anything else would rewrite the person's tree. */
async function refuseOtherBase(repoPath: string, base: string, signal: AbortSignal): Promise<void> {
  const head = await readHead({ cwd: repoPath, signal })
  if (head.kind !== 'unborn' && head.commit === base) return
  throw new AppError({
    code: 'bad_request',
    message: 'A task in place begins at the commit that is checked out.',
    hint: 'Leave --base out, or leave --in-place out to get a worktree at that commit.',
  })
}

async function refuseDirty(repoPath: string, signal: AbortSignal): Promise<void> {
  const changed = allChangedPaths(await readChanges({ cwd: repoPath, signal }))
  if (changed.length === 0) return
  throw new AppError({
    code: 'git.dirty',
    message: `${repoPath} has ${changed.length} uncommitted ${changed.length === 1 ? 'file' : 'files'}: ${changed.slice(0, 5).join(', ')}${changed.length > 5 ? ', …' : ''}.`,
    hint: 'Commit or stash them, leave --in-place out, or allow it with --allow-dirty.',
  })
}
