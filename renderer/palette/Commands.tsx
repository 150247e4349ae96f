import { lazy, Suspense } from 'react'
import { useShortcut } from '../ui/shortcuts.ts'
import { setOverlay, useOverlay } from './open.ts'

const NewTaskDialog = lazy(() =>
  import('../new-task/NewTaskDialog.tsx').then((m) => ({ default: m.NewTaskDialog })),
)

/** The keys that work everywhere, and what they open. */
export function Commands() {
  const overlay = useOverlay()
  const close = () => setOverlay(undefined)
  useShortcut('mod+k', () => setOverlay(overlay === 'palette' ? undefined : 'palette'))
  useShortcut('n', () => setOverlay('new_task'))
  return <Suspense>{overlay === 'new_task' ? <NewTaskDialog onClose={close} /> : null}</Suspense>
}
