import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach } from 'vitest'

const made: string[] = []

afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A temporary folder (real path) that is gone after the test. */
export function tempFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'handoff-git-')))
  made.push(folder)
  return folder
}

/** Runs the real git in a folder and answers what it printed, without the last line break. */
export function git(cwd: string, ...args: string[]): string {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' }
  const identity = [
    '-c',
    'user.name=Ann',
    '-c',
    'user.email=ann@example.org',
    '-c',
    'protocol.file.allow=always',
  ]
  return execFileSync('git', [...identity, ...args], {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).replace(/\n$/, '')
}

/** Writes a file and the folders above it. */
export function write(cwd: string, path: string, text: string | Buffer): void {
  mkdirSync(dirname(join(cwd, path)), { recursive: true })
  writeFileSync(join(cwd, path), text)
}

/** An empty repository on branch `main`. */
export function emptyRepository(name = 'project'): string {
  const path = join(tempFolder(), name)
  mkdirSync(path)
  git(path, 'init', '-q', '-b', 'main')
  git(path, 'config', 'user.name', 'Ann')
  git(path, 'config', 'user.email', 'ann@example.org')
  return path
}

/** Commits everything in the folder and answers the new commit's sha. */
export function commitAll(cwd: string, message: string): string {
  git(cwd, 'add', '-A')
  git(cwd, 'commit', '-q', '--allow-empty', '-m', message)
  return git(cwd, 'rev-parse', 'HEAD')
}

/** A repository with `count` commits, each changing `file.txt`. */
export function repository({
  commits = 1,
  name = 'project',
}: { commits?: number; name?: string } = {}): string {
  const path = emptyRepository(name)
  for (let index = 1; index <= commits; index += 1) {
    write(path, 'file.txt', `${'line\n'.repeat(20)}${index}\n`)
    commitAll(path, `commit ${index}`)
  }
  return path
}

/** Everything that must not change by a read: HEAD, refs, index and working tree. */
export function fingerprint(cwd: string): string {
  const refs = git(cwd, 'for-each-ref', '--format=%(objectname) %(refname)')
  const head = git(cwd, 'rev-parse', '--symbolic-full-name', 'HEAD')
  return [head, refs, git(cwd, 'ls-files', '--stage'), git(cwd, 'status', '--porcelain', '-uall')].join(
    '\n--\n',
  )
}
