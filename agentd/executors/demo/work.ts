import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { run } from './commands.ts'
import { editDiff } from './edit-diff.ts'

/** What the demo changes in its worktree. It commits the files it wrote itself and nothing else that lies there. */
export function createWork({ worktree }: { worktree: string }) {
  const written = new Set<string>()

  function git(args: readonly string[]) {
    return run({ program: 'git', args, worktree })
  }

  /** A machine without a git identity can still play the demo. */
  async function identity(): Promise<string[]> {
    const email = await git(['config', 'user.email'])
    if (email.exitCode === 0 && email.output !== '') return []
    return ['-c', 'user.name=Handoff demo', '-c', 'user.email=demo@handoff.invalid']
  }

  return {
    /** Writes or appends to a file of the worktree; answers what went wrong instead of leaving it. */
    put({ path, text, how }: { path: string; text: string; how: 'write' | 'append' }): string | undefined {
      const target = resolve(worktree, path)
      if (path === '' || !target.startsWith(worktree + sep)) return `${path} is not a file of the worktree.`
      mkdirSync(dirname(target), { recursive: true })
      if (how === 'write') writeFileSync(target, text)
      else appendFileSync(target, text)
      written.add(target.slice(worktree.length + 1))
      return undefined
    },
    /** What writing this text to a file would change. */
    diffOf(path: string, text: string): string {
      const target = resolve(worktree, path)
      const before = existsSync(target) ? readFileSync(target, 'utf8') : undefined
      return editDiff(path, before, text)
    },
    /** Commits what was written. `none`: there was nothing new. */
    async commit(message: string): Promise<{ kind: 'committed' | 'none' | 'failed'; output: string }> {
      const files = [...written]
      if (files.length === 0) return { kind: 'none', output: 'There is nothing to commit.' }
      const added = await git(['add', '--', ...files])
      if (added.exitCode !== 0) return { kind: 'failed', output: added.output }
      const staged = await git(['diff', '--cached', '--quiet', '--', ...files])
      if (staged.exitCode === 0) return { kind: 'none', output: 'There is nothing to commit.' }
      const settings = [...(await identity()), '-c', 'commit.gpgSign=false', '-c', 'core.hooksPath=/dev/null']
      const done = await git([...settings, 'commit', '-m', message, '--', ...files])
      return { kind: done.exitCode === 0 ? 'committed' : 'failed', output: done.output }
    },
    async head(): Promise<{ commit: string; branch: string }> {
      const [commit, branch] = await Promise.all([
        git(['rev-parse', 'HEAD']),
        git(['rev-parse', '--abbrev-ref', 'HEAD']),
      ])
      return { commit: commit.output, branch: branch.output }
    },
    /** Leaves a child that belongs to no terminal and no group of ours, as a careless program would. */
    leaveChild(): number | undefined {
      const child = spawn('sleep', ['3600'], { cwd: '/', detached: true, stdio: 'ignore' })
      child.unref()
      return child.pid
    },
    makeScratch(scratch: string): void {
      mkdirSync(scratch, { recursive: true, mode: 0o700 })
      writeFileSync(join(scratch, 'notes.txt'), 'Made by the demo executor. It may be deleted at any time.\n')
    },
  }
}
export type Work = ReturnType<typeof createWork>
