import { AppError, toWireError } from '../../../shared/errors.ts'
import type { CallDispatcher } from './dispatch-call.ts'

/** More than this of one window, waiting or under way, is no person at work. */
const MAX_PER_WINDOW = 512

/**
 * Lets windows begin their calls in turns, one each, and lets everything else in between: however much one of them asks for, a
 * call of another waits for one call of each window at most. Too many at once are refused with `rate_limited`.
 */
export function inFairTurns(call: CallDispatcher): CallDispatcher {
  /** Who waits, the window whose turn is next first. */
  const waiting = new Map<string, (() => void)[]>()
  const taken = new Map<string, number>()
  let isPlanned = false

  function plan(): void {
    if (isPlanned || waiting.size === 0) return
    isPlanned = true
    setImmediate(turn)
  }

  function turn(): void {
    isPlanned = false
    const [next] = waiting
    if (next === undefined) return
    const [windowId, queue] = next
    waiting.delete(windowId)
    queue.shift()?.()
    if (queue.length > 0) waiting.set(windowId, queue)
    plan()
  }

  function ownTurn(windowId: string): Promise<void> {
    return new Promise((resolve) => {
      const queue = waiting.get(windowId)
      if (queue === undefined) waiting.set(windowId, [resolve])
      else queue.push(resolve)
      plan()
    })
  }

  return async (request, caller) => {
    const { windowId } = caller
    const before = taken.get(windowId) ?? 0
    if (before >= MAX_PER_WINDOW) return { ok: false, error: toWireError(tooMany()) }
    taken.set(windowId, before + 1)
    try {
      await ownTurn(windowId)
      return await call(request, caller)
    } finally {
      const left = (taken.get(windowId) ?? 1) - 1
      if (left === 0) taken.delete(windowId)
      else taken.set(windowId, left)
    }
  }
}

function tooMany(): AppError {
  return new AppError({
    code: 'rate_limited',
    message: `This window has ${MAX_PER_WINDOW} calls under way.`,
    hint: 'Wait until some of them are answered, or reload the window.',
  })
}
