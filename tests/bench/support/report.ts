import path from 'node:path'

/** The middle of the values; of an even number the lower of the two in the middle. */
export function median(values: readonly number[]): number {
  return percentile(values, 50)
}

/** The value below or at which `percent` of the values lie. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const index = Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)
  const value = sorted[index]
  if (value === undefined) throw new Error('Nothing was measured.')
  return value
}

/** One measurement. `goal` says what `value` or `ratio` (value ÷ baseline) must reach; without one there is nothing to miss. */
export type Measurement = {
  case: string
  unit: string
  value: number
  baseline?: number
  goal?: { of: 'value' | 'ratio'; atLeast: number } | { of: 'value' | 'ratio'; atMost: number }
}

/** Prints one measurement as a JSON line on stdout, under the name of the bench that runs: the folder of its file. */
export function report({ case: name, unit, value, baseline, goal }: Measurement): void {
  const ratio = baseline === undefined ? null : round(value / baseline)
  const measured = goal?.of === 'ratio' ? ratio : value
  const ok =
    goal === undefined ||
    (measured !== null && ('atLeast' in goal ? measured >= goal.atLeast : measured <= goal.atMost))
  const words = goal && `${goal.of} ${'atLeast' in goal ? `>= ${goal.atLeast}` : `<= ${goal.atMost}`}`
  const line = {
    bench: path.basename(path.dirname(process.argv[1] ?? '')),
    case: name,
    unit,
    value: round(value),
    baseline: baseline === undefined ? null : round(baseline),
  }
  process.stdout.write(`${JSON.stringify({ ...line, ratio, goal: words ?? null, ok })}\n`)
}

function round(value: number): number {
  return Number(value.toPrecision(5))
}
