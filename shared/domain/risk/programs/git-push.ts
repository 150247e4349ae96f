import { findOptions, type Args } from '../args.ts'
import { hasUnknown } from '../marks.ts'
import { type Word } from '../session.ts'
import { type Call, type ProgramSpec, wholeCall } from '../spec.ts'
import { isProtected, shortBranch } from './git-branches.ts'

/** Judges one refspec of a push: only the task's own branch, under its own name, without force. */
function refspec(call: Call, word: Word): void {
  const { session, state } = call
  if (hasUnknown(word.value)) return session.report('unresolved', word)
  const isForced = word.value.startsWith('+')
  const plain = isForced ? word.value.slice(1) : word.value
  const colon = plain.lastIndexOf(':')
  const source = colon < 0 ? plain : plain.slice(0, colon)
  const target = shortBranch(colon < 0 ? plain : plain.slice(colon + 1))
  if (isForced || (colon >= 0 && source === '')) return session.report('force_push', word)
  const names = target === 'HEAD' || target === '@' ? state.branches : [target]
  checkNames(call, names, word)
}

function checkNames(
  call: Call,
  names: readonly (string | undefined)[],
  place: { start: number; end: number },
): void {
  const own = call.session.context.branch
  const isOwn = names.every((name) => name !== undefined && name === own && !isProtected(call.session, name))
  if (!isOwn) call.session.report('push_shared', place)
}

function judgePush(call: Call, args: Args): void {
  const { session, state } = call
  if (findOptions(args, ['-n', '--dry-run']).length > 0 && findOptions(args, ['-f', '--force']).length === 0)
    return
  for (const option of findOptions(args, ['-o', '--push-option']))
    if (/skip/i.test(option.value?.value ?? '')) session.report('hooks_ci', option.value ?? option.word)
  const named = findOptions(args, ['--repo'])[0]?.value
  const [remote = named, ...refspecs] = args.operands
  // A remote by its address is a place that nobody has agreed to.
  if (remote && (/[:/\\]/.test(remote.value) || hasUnknown(remote.value)))
    session.report('push_shared', remote)
  for (const option of findOptions(args, ['--all', '--branches', '--tags', '--follow-tags']))
    session.report('push_shared', option.word)
  for (const word of refspecs) refspec(call, word)
  if (refspecs.length === 0) checkNames(call, state.branches, wholeCall(call))
}

/** `git push`: every spelling of force and deletion, and every branch but the task's own. */
export const push: ProgramSpec = {
  mentions: true,
  withValue: '-o --push-option --repo --receive-pack --exec',
  flags: {
    force_push: '-f --force --force-with-lease --force-if-includes --mirror --delete -d --prune',
    hooks_ci: '--no-verify',
    inline_code: '--receive-pack --exec',
  },
  judge: judgePush,
}
