import { useSyncExternalStore } from 'react'
import { INBOX_ROUTE, ticketRoute } from '../../shared/ipc/routes.ts'
import type { AppError } from '../../shared/errors.ts'
import { createListeners } from '../../shared/listeners.ts'
import { currentRoute, navigate } from '../app/navigation.ts'
import { call } from '../bridge/bridge.ts'
import { onDeskChange } from '../bridge/desk-store.ts'
import { asAppError, touches } from '../bridge/use-call.ts'

/** How the demo is getting on. `waiting`: the agent works, and has not asked anything yet. */
export type DemoState =
  { kind: 'idle' } | { kind: 'starting' } | { kind: 'waiting' } | { kind: 'failed'; error: AppError }

let state: DemoState = { kind: 'idle' }
const watchers = createListeners()

function become(next: DemoState): void {
  state = next
  watchers.tell()
}

/** How the demo is getting on; it goes on while other screens are open. */
export function useDemo(): DemoState {
  return useSyncExternalStore(watchers.add, () => state)
}

/**
 * Starts the demo task, once at a time, and opens its first request when it comes, unless the person went elsewhere or has done
 * anything beside what the inbox had opened by itself. `onFailure` is for where `useDemo` is not drawn.
 */
export function startDemo(onFailure?: (error: AppError) => void): void {
  if (state.kind === 'starting' || state.kind === 'waiting') return
  become({ kind: 'starting' })
  const hands = watchHands()
  call('demo.start', {}).then(
    ({ host, task }) => {
      become({ kind: 'waiting' })
      openFirstTicket(host, task.id, hands)
    },
    (reason: unknown) => {
      hands.stop()
      const error = asAppError(reason)
      become({ kind: 'failed', error })
      onFailure?.(error)
    },
  )
}

/** Whether the person has pressed anything since. */
function watchHands() {
  const ended = new AbortController()
  let haveMoved = false
  for (const type of ['keydown', 'pointerdown'])
    window.addEventListener(type, () => (haveMoved = true), { capture: true, signal: ended.signal })
  return { haveMoved: () => haveMoved, stop: () => ended.abort() }
}

/** The inbox opens its first row by itself; what the person has begun there is not taken from them. */
function mayOpen({ haveMoved }: ReturnType<typeof watchHands>): boolean {
  const route = currentRoute()
  return route === INBOX_ROUTE || (route.startsWith(`${INBOX_ROUTE}/`) && !haveMoved())
}

function openFirstTicket(host: string, taskId: string, hands: ReturnType<typeof watchHands>): void {
  const concerns = touches(host, taskId)
  const look = () =>
    call('task.get', { host, taskId }).then(
      ({ tickets, task }) => {
        const first = tickets.find((ticket) => ticket.state === 'open')
        if ((first === undefined && task.endedAt === undefined) || state.kind !== 'waiting') return
        stop()
        hands.stop()
        become({ kind: 'idle' })
        if (first !== undefined && mayOpen(hands)) navigate(ticketRoute(host, first), { replace: true })
      },
      // Not known here yet; the next change tells.
      () => undefined,
    )
  const stop = onDeskChange((change) => concerns(change) && void look())
  void look()
}
