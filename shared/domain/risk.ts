import { isInside, isSecretPath, judgeWrite, resolvePath } from './risk/paths.ts'
import { MARK_RANGE } from './risk/marks.ts'
import { doubtInText, doubtInTree, MAX_COMMAND_BYTES } from './risk/readable.ts'
import { byteOffsets, createSession } from './risk/session.ts'
import {
  type RiskContext,
  type RiskReason,
  type RiskVerdict,
  type ShellParser,
  verdictOf,
} from './risk/types.ts'
import { riskSentence } from './risk/reasons.ts'
import { judgeUrl } from './risk/urls.ts'
import { createWalker } from './risk/walk.ts'

/**
 * Judges a shell command before it runs. Routine means: everything in it was read, and nothing in it is on the list of dangerous
 * things. Whatever cannot be read or told in advance is dangerous. It never throws; a command over 64 KiB is not read.
 */
export function assessCommand(command: string, context: RiskContext, parse: ShellParser): RiskVerdict {
  if (command.length > MAX_COMMAND_BYTES) return wholly('unreadable', command)
  const { session, state, findings } = createSession(command, context, parse)
  if (byteOffsets(command)(command.length) > MAX_COMMAND_BYTES) return wholly('unreadable', command)
  const inText = doubtInText(command)
  if (inText) session.report('unreadable', inText)
  else {
    const tree = parse(command)
    const doubt = doubtInTree(tree, command)
    if (doubt) session.report('unreadable', doubt)
    // A part that cannot be read makes the whole dangerous; the rest is read all the same, to name the worse reasons.
    if (!doubt || tree.children.length > 0) createWalker(session, { depth: 0 }).walk(tree, state)
  }
  return verdictOf(findings)
}

function wholly(reason: RiskReason, text: string): RiskVerdict {
  const span = { startByte: 0, endByte: byteOffsets(text)(text.length) }
  return verdictOf([{ reason, sentence: riskSentence(reason), span }])
}

/** Judges writing to one file through an agent's edit tool. `path` may be relative to the worktree. */
export function assessFileEdit(path: string, context: RiskContext): RiskVerdict {
  if (path.length > 4096 || MARK_RANGE.test(path) || doubtInText(path)) return wholly('unreadable', path)
  const home = context.home ?? '/~'
  const scope = { worktree: resolvePath(context.worktree, '/', { worktree: '/', home }), home }
  const full = resolvePath(path, resolvePath(context.cwd ?? '.', scope.worktree, scope), scope)
  const reason = judgeWrite(full, { deletes: false, tree: false }, scope)
  if (isSecretPath(full)) return wholly('secret_access', path)
  if (reason) return wholly(reason, path)
  return isInside(full, scope.worktree) ? { level: 'routine' } : wholly('outside_worktree', path)
}

/** Judges fetching a web page through an agent's fetch tool. */
export function assessFetch(url: string): RiskVerdict {
  if (url.length > 8192 || doubtInText(url)) return wholly('unreadable', url)
  const reason = judgeUrl(url)
  return reason ? wholly(reason, url) : { level: 'routine' }
}
