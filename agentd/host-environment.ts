import { readdir } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { AppError } from '../shared/errors.ts'
import { executorEnvironment, resolveBaseEnvironment } from './executors/base-environment.ts'
import { readEnvironmentFiles } from './executors/environment-file.ts'

/** The name under which values of `all.env` alone are asked for. */
const ALL = 'all'

/** What processes on this host get as their environment. Values may be secret. */
export interface HostEnvironment {
  readonly path: string
  readonly proxyNames: string[]
  /** Why the login shell could not be asked. */
  readonly problem: string | undefined
  /** TMUX_TMPDIR, when tmux keeps its sockets somewhere unusual. */
  readonly tmuxSocketDir: string | undefined
  /** Environment of helper programs that agentd runs itself. */
  forTools(): NodeJS.ProcessEnv
  /**
   * Environment of an executor's processes, marked with the task. The files are read anew each time; a bad one throws
   * `environment_file` with path and line, unless `lenient`, which leaves the files out.
   */
  forExecutor(
    executor: string,
    taskId?: string,
    options?: { lenient: boolean },
  ): Promise<Readonly<Record<string, string>>>
  /** The environment files of this host, each with what is wrong with it. */
  files(): Promise<{ executor: string; path: string; problem?: string }[]>
}

interface Needs {
  processEnv: NodeJS.ProcessEnv
  /** The home folder; files are in its `env`. */
  home: string
  /** Further files by executor, which must be there (absolute paths). */
  requiredFiles: Readonly<Record<string, readonly string[]>>
}

/** Asks the login shell once, and checks every environment file: a bad one stops the start with a sentence. */
export async function createHostEnvironment({
  processEnv,
  home,
  requiredFiles,
}: Needs): Promise<HostEnvironment> {
  const shell = processEnv['SHELL'] ?? os.userInfo().shell ?? '/bin/sh'
  const base = await resolveBaseEnvironment({ shell, environment: processEnv })
  const variables = (): Record<string, string> =>
    executorEnvironment({ base, files: {}, taskId: '', environment: processEnv })
  const readFiles = (executor: string): Promise<Record<string, string>> =>
    readEnvironmentFiles({ home, executor, base: variables(), required: requiredFiles[executor] ?? [] })

  async function files(): Promise<{ executor: string; path: string; problem?: string }[]> {
    const folder = path.join(home, 'env')
    const names = (await readdir(folder)).filter((name) => name.endsWith('.env')).sort()
    const usual = names.map((name) => ({
      executor: name.slice(0, -'.env'.length),
      path: path.join(folder, name),
    }))
    const required = Object.entries(requiredFiles).flatMap(([executor, paths]) =>
      paths.map((file) => ({ executor, path: file })),
    )
    return Promise.all(
      [...usual, ...required].map(async (file) => {
        const problem = await readFiles(file.executor).then(() => undefined, sentenceOf)
        return { ...file, ...(problem === undefined ? {} : { problem }) }
      }),
    )
  }

  for (const executor of new Set([ALL, ...(await files()).map((file) => file.executor)]))
    await readFiles(executor)

  return {
    path: base.path,
    proxyNames: Object.keys(base.proxies).sort(),
    problem: base.problem,
    tmuxSocketDir: processEnv['TMUX_TMPDIR'],
    forTools: () => ({ ...processEnv, PATH: base.path }),
    async forExecutor(executor, taskId = '', options) {
      const values = options?.lenient === true ? {} : await readFiles(executor)
      const environment = executorEnvironment({ base, files: values, taskId, environment: processEnv })
      const { TMUX_TMPDIR: tmuxDir } = processEnv
      // Whoever attaches from inside must find the same tmux.
      return tmuxDir === undefined ? environment : { ...environment, TMUX_TMPDIR: tmuxDir }
    },
    files,
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof AppError) return error.message
  throw error
}
