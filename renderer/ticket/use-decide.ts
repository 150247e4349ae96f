import { useState } from 'react'
import type { Answer, Ticket } from '../../shared/domain/ticket.ts'
import { decidedText } from '../../shared/domain/deciding.ts'
import type { AppError } from '../../shared/errors.ts'
import type { Decision } from '../../shared/ipc/work-calls.ts'
import { useHostLabel } from '../app/host-words.ts'
import { call } from '../bridge/bridge.ts'
import { useText } from '../i18n/i18n.ts'
import { announce } from '../ui/announce.tsx'
import { useAction } from '../ui/use-action.ts'
import { useSettled } from '../ui/use-delayed.ts'
import { answerWords } from './ticket-words.ts'

/** How long after a ticket came onto the screen a press is still meant for what was there before. */
const SETTLE_MS = 400

/** Deciding one ticket, once. */
export interface Decide {
  send(answer: Answer): void
  /** False in the first moment: presses are still meant for what was here before, and count for nothing. */
  isSettled: boolean
  isBusy: boolean
  error: AppError | undefined
  decision: Decision | undefined
}

/** Sends the person's answer with the text that they saw, and says what became of it. */
export function useDecide({
  host,
  ticket,
  onDecided,
}: {
  host: string
  ticket: Ticket
  onDecided: ((decision: Decision, ticket: Ticket) => void) | undefined
}): Decide {
  const { t } = useText()
  const place = useHostLabel(host)
  const [decision, setDecision] = useState<Decision>()
  // A host that was restored from a backup may put something else under the same id.
  const isSettled = useSettled(`${ticket.id} ${ticket.openedSeq} ${ticket.ask.text}`, SETTLE_MS)
  const { run, isBusy, error } = useAction(async (answer: Answer) => {
    const seenText = decidedText(ticket.ask)
    const made = await call('ticket.answer', { host, ticketId: ticket.id, answer, seenText })
    setDecision(made)
    announce(spoken(made, answer))
    onDecided?.(made, ticket)
  })
  const spoken = (made: Decision, answer: Answer): string => {
    switch (made.kind) {
      case 'applied':
        return answerWords(answer, 'me', t)
      case 'queued':
        return `${answerWords(answer, 'me', t)} ${t('ticket.queued', { host: place })}`
      case 'already_answered':
        return t('ticket.first')
      case 'expired':
        return t('ticket.expired')
    }
  }
  const isOpen = ticket.state === 'open' && (decision === undefined || decision.kind === 'queued')
  return {
    send: (answer) => {
      if (isSettled && isOpen) run(answer)
    },
    isSettled,
    isBusy,
    // What went wrong with an answer concerns nobody once there is one.
    error: isOpen ? error : undefined,
    decision,
  }
}
