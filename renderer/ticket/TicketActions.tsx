import { PermissionActions } from './PermissionActions.tsx'
import { QuestionForm } from './QuestionForm.tsx'
import type { TicketView } from './TicketCard.tsx'
import type { Decide } from './use-decide.ts'

/** What the person can do with an open ticket. */
export function TicketActions({
  view,
  decide,
  isBlocked,
}: {
  view: TicketView
  decide: Decide
  isBlocked: boolean
}) {
  const { ask } = view.ticket
  switch (ask.kind) {
    case 'permission':
      return <PermissionActions view={view} decide={decide} isBlocked={isBlocked} />
    case 'question':
      return <QuestionForm ask={ask} decide={decide} />
    case 'review':
      // Judged where its changes are.
      return null
  }
}
