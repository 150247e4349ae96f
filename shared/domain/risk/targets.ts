import { MARK } from './marks.ts'
import { isSecretPath, judgeWrite, resolvePath, type WriteKind } from './paths.ts'
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
    else if (!kind.deletes && !path.startsWith('/dev/')) taint(session, path, 'inline_code')
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
    if (candidate === '' || candidate === MARK.star) continue
    if (/\s/.test(candidate) && !candidate.startsWith('/')) continue
    if (pathsOf(session, state, candidate).some(isSecretPath)) {
      session.report('secret_access', word)
      return
    }
  }
}
