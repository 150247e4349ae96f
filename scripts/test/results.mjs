import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** vitest's JSON report, or undefined when vitest ended before it could write one. */
export function readResults(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

/**
 * Counts the specs of a run and names what a person must know: failed files, skipped specs with their reasons, processes
 * left behind, and a vitest that failed for a reason no spec shows. Each of these but a skip counts as one failure.
 */
export function summarise({ results, vitestStatus, leftovers, failOnSkip, narrowed, root }) {
  const files = results?.testResults ?? []
  const specs = files.flatMap((file) =>
    file.assertionResults.map((spec) => ({ ...spec, file: path.relative(root, file.name) })),
  )
  const passed = specs.filter((spec) => spec.status === 'passed').length
  const failedSpecs = specs.filter((spec) => spec.status === 'failed').length
  // A file that cannot be loaded, or whose hook fails, may fail without a failed spec.
  const failedFiles = files.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((spec) => spec.status === 'failed'),
  )
  const skipped = narrowed ? [] : specs.filter((spec) => !['passed', 'failed'].includes(spec.status))
  const problems = [
    ...failedFiles.map((file) => `failed as a whole: ${path.relative(root, file.name)}`),
    ...leftovers.map(({ pid, command, test }) => `process left behind: ${pid} ${command} ${test}`.trim()),
  ]
  if (vitestStatus !== 0 && failedSpecs + failedFiles.length === 0)
    problems.push(`vitest ended with code ${vitestStatus} although no spec failed; see its output above`)
  if (failOnSkip && skipped.length > 0)
    problems.push(`${skipped.length} skipped, and here nothing may be skipped`)
  return {
    counts: { passed, failed: failedSpecs + problems.length },
    lines: ['', ...skipLines(skipped), ...problems.map((problem) => `FAILED: ${problem}`)],
  }
}

/** One line per skipped spec: where, which, and why. The reason stands in the title of its group. */
function skipLines(skipped) {
  if (skipped.length === 0) return []
  const lines = skipped.map((spec) => {
    const name = [...spec.ancestorTitles, spec.title].join(' > ')
    return `  ${spec.file}: ${name}${name.includes('[skipped: ') ? '' : ' [no reason given]'}`
  })
  return [`${skipped.length} skipped:`, ...lines]
}
