import type { DeskProblem } from '../../../shared/ipc/views.ts'

const MAX_WHY_CHARS = 500

/** What is wrong with this computer now, one entry per kind. */
export interface DeskProblems {
  list(): DeskProblem[]
  /** Without `found` it is repaired. Told only when it differs. */
  set(kind: DeskProblem['kind'], found: { path: string; why: string } | undefined): void
}

/** Keeps what is wrong, and tells all of it whenever it changes. */
export function createDeskProblems(tell: (problems: DeskProblem[]) => void): DeskProblems {
  const problems = new Map<DeskProblem['kind'], DeskProblem>()
  const list = () => [...problems.values()]
  return {
    list,
    set(kind, found) {
      const before = JSON.stringify(problems.get(kind))
      if (found === undefined) problems.delete(kind)
      else problems.set(kind, { kind, path: found.path, why: found.why.slice(0, MAX_WHY_CHARS) })
      if (JSON.stringify(problems.get(kind)) !== before) tell(list())
    },
  }
}
