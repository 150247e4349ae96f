/** Why the host itself closes a request, word for word as it tells; a client may have the same in another language. */
export const closedReasons = {
  task_over: 'The task is over.',
  asked_else: 'The executor has asked something else since.',
  turn_ended: 'The turn ended without waiting for it.',
  turn_later: 'A later turn has ended since.',
} as const
