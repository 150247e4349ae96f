import { type Session } from '../session.ts'

const ALWAYS_SHARED =
  /^(?:main|master|trunk|develop|development|dev|production|prod|staging|stable|default|next|gh-pages|release(?:[/-].*)?|hotfix(?:[/-].*)?|v?\d+(?:\.(?:\d+|x))*)$/i

/** A branch name without the parts that git itself fills in. */
export function shortBranch(name: string): string {
  return name.replace(/^refs\/heads\//, '').replace(/^heads\//, '')
}

/** Whether others work on the branch: it is named as protected, or has one of the usual names for that. The task's own branch is not. */
export function isProtected({ context }: Session, name: string): boolean {
  const branch = shortBranch(name).replace(/^(?:origin|upstream)\//, '')
  if (context.protectedBranches?.includes(branch)) return true
  return ALWAYS_SHARED.test(branch)
}
