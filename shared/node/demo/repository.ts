import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { REPOSITORY_FILES } from './plan.ts'

/** Fills a folder with the demo's program and its first commit on `main`; `git` runs in that folder. */
export async function makeDemoRepository(
  folder: string,
  git: (...args: string[]) => Promise<unknown>,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const [name, text] of Object.entries(REPOSITORY_FILES)) await writeFile(join(folder, name), text)
  await git('init', '--quiet', '--initial-branch=main')
  await git('config', 'user.name', 'Demo')
  await git('config', 'user.email', 'demo@example.invalid')
  await git('config', 'commit.gpgSign', 'false')
  await git('add', '.')
  await git('commit', '--quiet', '--message', 'A greeter')
}
