import { isInside, isSecretPath, judgeWrite, resolvePath, type WriteKind } from './paths.ts'
import { type Session, type State, type Word } from './session.ts'

/** Paths that a word may stand for, one per possible current folder. */
export function pathsOf(session: Session, state: State, value: string): string[] {
  return state.cwds.map((cwd) => resolvePath(value, cwd, session.scope))
}

/** Reports writing to the path in `word` when that is dangerous. */
export function checkWrite(session: Session, state: State, target: { word: Word; kind: WriteKind }): void {
  const { word, kind } = target
  for (const path of pathsOf(session, state, word.value)) {
    const reason = judgeWrite(path, kind, session.scope)
    if (reason) session.report(reason, word)
    else if (isSecretPath(path)) session.report('secret_access', word)
    else if (!kind.deletes && !kind.builds && !path.startsWith('/dev/')) taint(session, path, 'inline_code')
  }
}

/** Remembers that the command itself made a file, so that running it is running unseen code. */
export function taint(session: Session, path: string, reason: 'inline_code' | 'download_run'): void {
  if (session.tainted.get(path) !== 'download_run') session.tainted.set(path, reason)
}

/** Reports opening the file in `word` when it holds secrets. The value may carry an option name, an `@` or a host in front. */
export function checkRead(session: Session, state: State, word: Word): void {
  const { value } = word
  if (value.length > 4096) return
  const candidates = new Set([value])
  for (const mark of ['=', '@', ':', ',']) {
    for (let at = value.indexOf(mark); at >= 0; at = value.indexOf(mark, at + 1))
      candidates.add(value.slice(at + 1))
  }
  if (/^-[A-Za-z]./.test(value)) candidates.add(value.slice(2))
  for (const candidate of [...candidates].slice(0, 40)) {
    if (candidate === '') continue
    if (/\s/.test(candidate) && !candidate.startsWith('/')) continue
    if (pathsOf(session, state, candidate).some((path) => isSecretPath(path) || isOwnState(session, path))) {
      session.report('secret_access', word)
      return
    }
  }
}

/** What this program itself keeps about tasks, tickets and tokens; only the worktrees below it belong to a task. */
function isOwnState({ scope }: Session, path: string): boolean {
  const own = `${scope.home}/.handoff`
  return isInside(path, own) && !isInside(path, scope.worktree) && !isInside(path, `${own}/worktrees`)
}

/** Reports reading a folder with everything below it when a home folder, and so its keys, is part of that. */
export function checkTreeRead(session: Session, state: State, word: Word): void {
  const { home } = session.scope
  for (const path of pathsOf(session, state, word.value)) {
    if (isInside(home, path) || /^\/(?:home|Users)(?:\/[^/]+)?$|^\/(?:root|etc)?$/.test(path))
      session.report('secret_access', word)
  }
}

/** Reports loading a configuration, plug-in or script that lies outside the worktree or that the command itself wrote. */
export function checkLoad(session: Session, state: State, word: Word): void {
  if (!/^[./~]/.test(word.value)) return
  for (const path of pathsOf(session, state, word.value)) {
    const tainted = session.tainted.get(path)
    if (tainted) session.report(tainted, word)
    else if (!isInside(path, session.scope.worktree) && !/^\/(?:usr|opt)\/|^\/dev\/null$/.test(path))
      session.report('foreign_program', word)
  }
}
