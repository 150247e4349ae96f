import { appendFileSync, readFileSync } from 'node:fs'
import type { ExecutorFact } from '../adapter.ts'
import type { NumberedFact } from './protocol.ts'

/** Reads a file of JSON lines; a torn last line (the writer was killed) is left out. */
export function readJsonLines<T>(path: string): T[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
  const complete = text.slice(0, text.lastIndexOf('\n') + 1)
  return complete
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)
}

/** The facts of a journal after number `since`, in order. */
export function readJournal(path: string, since: number): NumberedFact[] {
  return readJsonLines<NumberedFact>(path).filter(({ n }) => n > since)
}

/** The program's memory: a fact is in the file before anybody hears of it. */
export function createJournal(path: string) {
  let last = readJournal(path, 0).at(-1)?.n ?? 0
  return {
    next: () => last + 1,
    append(fact: ExecutorFact): NumberedFact {
      const numbered = { n: last + 1, fact }
      appendFileSync(path, `${JSON.stringify(numbered)}\n`, { mode: 0o600 })
      last = numbered.n
      return numbered
    },
    since: (n: number) => readJournal(path, n),
  }
}
export type Journal = ReturnType<typeof createJournal>

/** Remembers which deliveries were accepted; a number is in the file before its effect begins. */
export function createDeliveryLog(path: string) {
  const known = new Set(readJsonLines<{ deliveryId: number }>(path).map(({ deliveryId }) => deliveryId))
  return {
    has: (deliveryId: number) => known.has(deliveryId),
    accept(entry: { deliveryId: number; kind: string; requestId?: string }): void {
      appendFileSync(path, `${JSON.stringify(entry)}\n`, { mode: 0o600 })
      known.add(entry.deliveryId)
    },
  }
}
export type DeliveryLog = ReturnType<typeof createDeliveryLog>
