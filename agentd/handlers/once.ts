import type { CallContext } from '../server/call-context.ts'
import type { Store } from '../store/store.ts'

/** Remembers what a request led to, so that the same request sent again changes nothing and gets the same answer. */
export function createOnce({ store, now }: { store: Store; now: () => number }) {
  const recall = <T>(context: CallContext, requestId: string): T | undefined => {
    const json = store.requests.get(context.actor.clientId, requestId)
    return json === undefined ? undefined : (JSON.parse(json) as T)
  }
  const keep = (context: CallContext, requestId: string, result: unknown): void =>
    store.requests.put(context.actor.clientId, requestId, now(), JSON.stringify(result))

  return {
    /** For work that is one transaction: the memory is part of it. */
    sync<T>(context: CallContext, requestId: string, work: () => T): T {
      const known = recall<T>(context, requestId)
      if (known !== undefined) return known
      const result = work()
      keep(context, requestId, result)
      return result
    },
    /** For work of several steps, each of which refuses a repetition by itself. */
    async steps<T>(context: CallContext, requestId: string, work: () => Promise<T>): Promise<T> {
      const known = recall<T>(context, requestId)
      if (known !== undefined) return known
      const result = await work()
      store.transaction(() => keep(context, requestId, result))
      return result
    },
  }
}

export type Once = ReturnType<typeof createOnce>
