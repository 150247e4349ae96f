import type { Desk } from '../services/desk/types.ts'

/** Answers nothing; stands here until the services are wired. */
export function createDesk(): Desk {
  return {
    call: () =>
      Promise.resolve({
        ok: false,
        error: { code: 'unknown_call', message: 'The services are not there yet.' },
      }),
    onEvent: () => () => undefined,
    onAttention: () => () => undefined,
    windowClosed: () => undefined,
    dispose: () => Promise.resolve(),
  } as Partial<Desk> as Desk
}
