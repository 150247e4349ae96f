import { useState } from 'react'
import type { DiffRow } from './rows.ts'

/** The line that the keys are at: arrows move it, `c` comments on it. */
export function useCursor(rows: readonly DiffRow[], scrollTo: (index: number) => void) {
  const [index, setIndex] = useState<number>()
  const row = index === undefined ? undefined : rows[index]
  return {
    index,
    row,
    /** Moves to the next line, without one to the next from `first` on; answers its row. */
    move(step: 1 | -1, first: number): DiffRow | undefined {
      let next = index === undefined ? first : index + step
      while (next >= 0 && next < rows.length && rows[next]?.kind !== 'line' && rows[next]?.kind !== 'pair')
        next += step
      if (next < 0 || next >= rows.length) return undefined
      setIndex(next)
      scrollTo(next)
      return rows[next]
    },
    leave: () => setIndex(undefined),
  }
}
