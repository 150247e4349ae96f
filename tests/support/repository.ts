import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const runFile = promisify(execFile)

/** Variables that make git independent of the machine's own configuration. */
export const gitTestEnvironment: Record<string, string> = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.invalid',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.invalid',
}

/** A git repository in a temporary folder with one commit on `main`; `dispose` deletes it. `name` is how its folder is called. */
export async function createRepository(
  files: Record<string, string> = { 'README.md': '# Test\n' },
  name?: string,
) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'handoff-repo-')))
  const path = name === undefined ? folder : join(folder, name)
  if (name !== undefined) await mkdir(path)
  const git = async (...args: string[]): Promise<string> => {
    const env = { ...process.env, ...gitTestEnvironment }
    const { stdout } = await runFile('git', args, { cwd: path, env, maxBuffer: 64 * 1024 * 1024 })
    return stdout.trimEnd()
  }
  const write = async (name: string, text: string): Promise<void> => {
    await mkdir(dirname(join(path, name)), { recursive: true })
    await writeFile(join(path, name), text)
  }
  /** Commits everything that is there, and answers the commit's id. */
  const commit = async (message: string): Promise<string> => {
    await git('add', '-A')
    await git('commit', '--quiet', '--allow-empty', '-m', message)
    return git('rev-parse', 'HEAD')
  }
  await git('init', '--quiet', '--initial-branch=main')
  for (const [name, text] of Object.entries(files)) await write(name, text)
  const head = await commit('start')
  return {
    path,
    head,
    git,
    write,
    commit,
    dispose: () => rm(folder, { recursive: true, force: true }),
  }
}
export type TestRepository = Awaited<ReturnType<typeof createRepository>>
