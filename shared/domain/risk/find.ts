import { componentMatcher, hasUnknown, MARK, markGlobs } from './marks.ts'

/** Tests of `find` that narrow by name; everything else may let any file through. */
const NAME_TESTS = new Set(['-name', '-iname'])
const START = /^[-(!]|^\uE010|^\uE011/

/** The folders a `find` starts in, as written. */
export function findRoots(values: readonly string[]): string[] {
  const roots: string[] = []
  for (const value of values) {
    if (/^-[HLPO]/.test(value)) continue
    if (START.test(value) && !hasUnknown(value)) break
    roots.push(value)
  }
  return roots.length > 0 ? roots : ['.']
}

function nameTests(values: readonly string[]): string[] {
  const found: string[] = []
  for (const [at, value] of values.entries()) {
    const negated = values[at - 1] === '!' || values[at - 1] === '-not'
    if (NAME_TESTS.has(value) && !negated) found.push(values[at + 1] ?? '*')
  }
  return found
}

/**
 * Words that stand for every file a `find` may hand on: its root when nothing narrows it, else a pattern below the root.
 * Undefined when a part of it is unknown.
 */
export function findTargets(values: readonly string[]): string[] | undefined {
  const roots = findRoots(values)
  if (roots.some(hasUnknown)) return undefined
  const tests = nameTests(values)
  // With `-o` one side may be narrowed and the other not; then only several names together are taken as narrowing.
  const sides = values.filter((value) => value === '-o' || value === '-or').length
  const narrowed = tests.length > sides && !tests.some(hasUnknown)
  const isFilesOnly = values.join(' ').includes('-type f') && sides === 0
  const skipsGit = values.some(
    (value, at) => /^-(?:path|wholename)$/.test(values[at - 1] ?? '') && value.includes('.git'),
  )
  return roots.flatMap((root) => {
    const base = root.replace(/\/+$/, '') || '/'
    if (narrowed) {
      return tests.flatMap((test) => {
        const pattern = markGlobs(test)
        const git = componentMatcher(pattern)('.git') ? [`${base}/.git`] : []
        const ci = ['ci.yml', 'ci.yaml'].some(componentMatcher(pattern))
          ? [`${base}/.github/workflows/${pattern}`, `${base}/workflows/${pattern}`, `${base}/${pattern}`]
          : []
        return test === '*' ? [base] : [`${base}/${MARK.listed}/${pattern}`, ...git, ...ci]
      })
    }
    return isFilesOnly && skipsGit ? [`${base}/${MARK.listed}`] : [base]
  })
}
