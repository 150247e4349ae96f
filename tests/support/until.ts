/** How long `until` waits and how often it looks. */
export type UntilOptions = { timeoutMs?: number; intervalMs?: number }

/**
 * Waits until `probe` answers something other than `undefined`, `null`, `false`, `0` or `''`, and returns that answer.
 * A probe that throws counts as "not yet". After `timeoutMs` (10 s unless told) it throws an error that says what was
 * awaited, what the probe answered last and, as the cause, what it threw last.
 */
export async function until<T>(
  what: string,
  probe: () => T | Promise<T>,
  { timeoutMs = 10_000, intervalMs = 20 }: UntilOptions = {},
): Promise<NonNullable<T>> {
  const deadlineMs = performance.now() + timeoutMs
  let last: { value: unknown } | undefined
  let failure: unknown
  for (;;) {
    try {
      const value = await probe()
      if (value) return value
      last = { value }
      failure = undefined
    } catch (error) {
      failure = error
    }
    if (performance.now() >= deadlineMs) {
      const seen =
        failure === undefined ? `it last answered ${show(last?.value)}` : `it last threw ${String(failure)}`
      throw new Error(`Waited ${timeoutMs} ms for ${what}; ${seen}.`, { cause: failure })
    }
    await new Promise((resolve) => setTimeout(resolve, intervalMs))
  }
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? String(value)
}
