import { visibleLine } from '../../shared/domain/visible.ts'
import type { ExecutorInfo } from '../../shared/protocol/records.ts'
import type { Translate } from '../i18n/i18n.ts'

/** Why an executor cannot be used, in words of the window where its kind is known; undefined when nothing is the matter. */
export function executorProblem(
  { name, version = '', problem, reason }: ExecutorInfo,
  t: Translate,
): string | undefined {
  if (reason !== undefined) return t(`hosts.executorProblem.${reason}`, { name, version })
  return problem === undefined ? undefined : visibleLine(problem)
}
