import { opendir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Task } from '../../shared/domain/task.ts'
import { AppError } from '../../shared/errors.ts'
import { readChanges, allChangedPaths } from '../../shared/node/git/status.ts'
import { removeWorktree } from '../../shared/node/git/worktree-remove.ts'
import type { CallOutput } from '../../shared/protocol.ts'
import type { SomeHandlers } from '../server/call-context.ts'
import type { Store } from '../store/store.ts'
import { keptWhy, taskFolder } from '../tasks/workspace.ts'

type Report = CallOutput<'gc.run'>

const PAGE = 500
const DAY_MS = 24 * 3_600_000
/** An upload that nobody finished is of no use after a day. */
const STALE_MS = DAY_MS

interface Needs {
  store: Store
  now: () => number
  home: { root: string; worktrees: string; incoming: string }
}

/** The call that clears away what ended tasks left behind; branches and anything uncommitted always stay. */
export function createGcHandlers({ store, now, home }: Needs): SomeHandlers<'gc.run'> {
  /** One repository that was moved or broken must not keep the others from being cleared up. */
  async function tryTask(task: Task, dryRun: boolean, report: Report): Promise<void> {
    await collectTask(task, dryRun, report).catch((error: unknown) => {
      const said = error instanceof AppError ? error.message : String(error)
      report.kept.push({ path: task.worktree, why: `It could not be looked at: ${said}`.slice(0, 500) })
    })
  }

  async function collectTask(task: Task, dryRun: boolean, report: Report): Promise<void> {
    if (!task.inPlace && (await exists(task.worktree))) await collectWorktree(task, dryRun, report)
    const folder = taskFolder(home.root, task.id)
    if (await exists(folder)) await collectFolder('task files', folder, dryRun, report)
  }

  return {
    'gc.run': async ({ dryRun }) => {
      const report: Report = { removed: [], kept: [] }
      for (let beforeId: string | undefined; ;) {
        const tasks = store.tasks.list({
          over: true,
          states: ['completed', 'failed', 'cancelled'],
          limit: PAGE,
          ...(beforeId === undefined ? {} : { beforeId }),
        })
        for (const task of tasks)
          if (store.tasks.private(task.id).cleaned) await tryTask(task, dryRun, report)
        beforeId = tasks.at(-1)?.id
        if (tasks.length < PAGE) break
      }
      for (const name of await readdir(home.incoming)) {
        const file = path.join(home.incoming, name)
        // Taken meanwhile by whoever uploaded it.
        if (!(await exists(file))) continue
        if (now() - (await stat(file)).mtimeMs > STALE_MS) await collectFolder('upload', file, dryRun, report)
      }
      return { removed: report.removed.slice(0, 10_000), kept: report.kept.slice(0, 10_000) }
    },
  }
}

async function collectWorktree(task: Task, dryRun: boolean, report: Report): Promise<void> {
  const bytes = await sizeOf(task.worktree)
  if (dryRun) {
    const changed = allChangedPaths(await readChanges({ cwd: task.worktree }))
    if (changed.length > 0)
      report.kept.push({ path: task.worktree, why: `It has ${changed.length} uncommitted files.` })
    else report.removed.push({ what: 'worktree', path: task.worktree, bytes })
    return
  }
  const outcome = await removeWorktree({ repoPath: task.repo.path, worktreePath: task.worktree })
  if (outcome.kind === 'kept') report.kept.push({ path: task.worktree, why: keptWhy(outcome) })
  else report.removed.push({ what: 'worktree', path: task.worktree, bytes })
}

async function collectFolder(what: string, folder: string, dryRun: boolean, report: Report): Promise<void> {
  report.removed.push({ what, path: folder, bytes: await sizeOf(folder) })
  if (!dryRun) await rm(folder, { recursive: true, force: true })
}

async function exists(file: string): Promise<boolean> {
  return (
    (await stat(file).catch((error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' ? undefined : Promise.reject(error),
    )) !== undefined
  )
}

/** Bytes of all files below a path; links are not followed. */
async function sizeOf(target: string): Promise<number> {
  const info = await stat(target)
  if (!info.isDirectory()) return info.size
  let bytes = 0
  for await (const entry of await opendir(target, { recursive: true }))
    if (entry.isFile()) bytes += (await stat(path.join(entry.parentPath, entry.name))).size
  return bytes
}
