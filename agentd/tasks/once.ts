import { createHash } from 'node:crypto'
import { AppError } from '../../shared/errors.ts'
import type { CallContext } from '../server/call-context.ts'
import type { Store } from '../store/store.ts'

/** A call that a client may send again when it did not hear the answer. `input` is everything that makes it this call. */
export interface Request {
  call: string
  input: { requestId: string }
}

interface Memory {
  /** Digest of the call and its input. */
  of: string
  result: unknown
}

/** Remembers what a request led to, so that the same request sent again changes nothing and gets the same answer. */
export function createOnce({ store, now }: { store: Store; now: () => number }) {
  /** Work that goes on; the same request sent again waits for it. */
  const running = new Map<string, Promise<unknown>>()

  /** What this request led to before. Throws when its id was used for another request: that answer is not this one's. */
  function recall<T>({ actor }: CallContext, request: Request): { result: T } | undefined {
    const json = store.requests.get(actor.clientId, request.input.requestId)
    if (json === undefined) return undefined
    const memory = JSON.parse(json) as Memory
    if (memory.of === digestOf(request)) return { result: memory.result as T }
    throw new AppError({
      code: 'bad_request',
      message: 'The id of this request was used for another one before; nothing was done.',
      hint: 'Use a new id for every request, and the same one only to send the same request again.',
    })
  }

  function keep({ actor }: CallContext, request: Request, result: unknown): void {
    const memory: Memory = { of: digestOf(request), result }
    store.requests.put(actor.clientId, request.input.requestId, now(), JSON.stringify(memory))
  }

  return {
    /** For work that is one transaction: the memory is part of it. */
    sync<T>(context: CallContext, request: Request, work: () => T): T {
      const known = recall<T>(context, request)
      if (known) return known.result
      const result = work()
      keep(context, request, result)
      return result
    },
    /**
     * For work around a transaction. `decide` calls `remember` inside it, so that what was decided and the memory of it
     * are never apart; `finish` makes the answer of it, and is repeated when the request is.
     */
    async steps<S, T>(
      context: CallContext,
      request: Request,
      steps: { decide(remember: (saved: S) => void): Promise<S>; finish(saved: S): Promise<T> },
    ): Promise<T> {
      const key = `${context.actor.clientId} ${request.input.requestId}`
      // The other one may fail for reasons of its own (its connection ended); then this one is carried out.
      for (let other = running.get(key); other !== undefined; other = running.get(key))
        await other.then(
          () => undefined,
          () => undefined,
        )
      const work = (async () => {
        const known = recall<S>(context, request)
        return steps.finish(known?.result ?? (await steps.decide((saved) => keep(context, request, saved))))
      })()
      running.set(key, work)
      try {
        return await work
      } finally {
        running.delete(key)
      }
    },
  }
}

/**
 * The proofs of what a person saw are not part of the request: one may have to be given again, and the other is unknown to a host
 * that is older than the one which gets the repetition.
 */
function digestOf({ call, input }: Request): string {
  const { typed: _typed, seen: _seen, ...rest } = { typed: undefined, seen: undefined, ...input }
  return createHash('sha256')
    .update(JSON.stringify([call, rest]))
    .digest('base64url')
}
