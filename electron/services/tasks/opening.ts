import { spawn } from 'node:child_process'
import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { AppError } from '../../../shared/errors.ts'
import type { IpcOutput, IpcParsed } from '../../../shared/ipc.ts'
import type { Cache } from '../cache/types.ts'
import type { HostService } from '../hosts/types.ts'
import type { DeskPlatform } from '../platform.ts'
import type { SettingsService } from '../settings/types.ts'
import { openHere, openThere, type EditorStart } from './editors.ts'

/** A launcher of an editor hands over to the editor that runs and ends; one that is still there then has started it. */
const START_MS = 4_000

interface Needs {
  cache: Pick<Cache, 'task'>
  hosts: Pick<HostService, 'get'>
  settings: Pick<SettingsService, 'get'>
  platform: Pick<DeskPlatform, 'openExternal' | 'openPath'>
  environment: NodeJS.ProcessEnv
  logs: string
}

/** Opens things in the person's own programs. */
export type Opening = ReturnType<typeof createOpening>

/** Opens pages, files of tasks in the editor that was chosen, and the folder with the logs. */
export function createOpening({ cache, hosts, settings, platform, environment, logs }: Needs) {
  return {
    /** Throws `bad_request` for anything but https, http and mailto. */
    async url(text: string): Promise<void> {
      const { protocol } = new URL(text)
      if (protocol !== 'https:' && protocol !== 'http:' && protocol !== 'mailto:')
        throw new AppError({
          code: 'bad_request',
          message: `Links that begin with ${protocol} are not opened.`,
          hint: 'Copy the address when you trust it.',
        })
      await platform.openExternal(text)
    },
    /** Throws `task_not_found` and `path_outside`; an editor that cannot be started is told in the answer. */
    async editor({
      host,
      taskId,
      path: file,
      line,
    }: IpcParsed<'open.editor'>): Promise<IpcOutput<'open.editor'>> {
      const task = cache.task(host, taskId)
      if (task === undefined) throw noTask()
      const { editor } = settings.get()
      const known = hosts.get(host)
      if (known?.isLocal === true) {
        const place = { path: await containedPath(task.worktree, file), line }
        return started(openHere(editor, place), place.path)
      }
      const place = { path: containedName(task.worktree, file), line }
      return started(openThere(editor, known?.address ?? '', place), place.path)
    },
    async logs(): Promise<IpcOutput<'open.logs'>> {
      return { path: logs, opened: (await platform.openPath(logs)).opened }
    },
  }

  async function started(start: EditorStart, file: string): Promise<IpcOutput<'open.editor'>> {
    switch (start.kind) {
      case 'by_system': {
        const { opened, why } = await platform.openPath(file)
        return { opened, path: file, ...(why === undefined ? {} : { why: why.slice(0, 500) }) }
      }
      case 'impossible':
        return { opened: false, path: file, why: start.why }
      case 'program': {
        const why = await startProgram(start.argv, environment)
        return { opened: why === undefined, path: file, ...(why === undefined ? {} : { why }) }
      }
    }
  }
}

/** The real path of a file inside a folder of this machine; links may not lead out. */
async function containedPath(root: string, file: string): Promise<string> {
  const target = containedName(root, file)
  const real = await Promise.all([realpath(root), realpath(target)]).catch((cause: unknown) => {
    throw new AppError(
      {
        code: 'file_not_found',
        message: `There is no file ${JSON.stringify(file.slice(0, 200))} in the worktree.`,
        hint: 'It may have been deleted, or the worktree is gone because the task is over.',
      },
      { cause },
    )
  })
  if (!isInside(real[0], real[1])) throw outside(file)
  return target
}

function containedName(root: string, file: string): string {
  const target = path.resolve(root, file)
  if (path.isAbsolute(file) || file.includes('\0') || !isInside(root, target)) throw outside(file)
  return target
}

function isInside(root: string, target: string): boolean {
  const inside = path.relative(root, target)
  return inside !== '..' && !inside.startsWith(`..${path.sep}`) && !path.isAbsolute(inside)
}

/** Starts a program that goes on without us; answers why it did not start. */
function startProgram(
  [program, ...args]: readonly [string, ...string[]],
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { detached: true, stdio: 'ignore', env: environment })
    const timer = setTimeout(() => resolve(undefined), START_MS)
    const settle = (why: string | undefined) => {
      clearTimeout(timer)
      resolve(why)
    }
    child.once('error', (error: NodeJS.ErrnoException) =>
      settle(
        error.code === 'ENOENT'
          ? `The command ${program} was not found. Install it from within the editor, or choose another editor in the settings.`
          : `${program} could not be started (${error.code ?? 'unknown'}).`,
      ),
    )
    child.once('exit', (code) =>
      settle(code === 0 ? undefined : `${program} ended with code ${code ?? 'none'}.`),
    )
    child.unref()
  })
}

function noTask(): AppError {
  return new AppError({
    code: 'task_not_found',
    message: 'Nothing is known of this task here.',
    hint: 'Open it once while its host is connected.',
  })
}

function outside(file: string): AppError {
  return new AppError({
    code: 'path_outside',
    message: `${JSON.stringify(file.slice(0, 200))} is not inside the worktree.`,
    hint: 'Only files of the task are opened.',
  })
}
