import { lazy, Suspense, useEffect } from 'react'
import { navigate } from '../app/navigation.ts'
import { subscribe } from '../bridge/bridge.ts'
import { sections } from '../app/routes.tsx'
import { useShortcut } from '../ui/shortcuts.ts'
import { setOverlay, useOverlay } from './open.ts'

const Palette = lazy(() => import('./Palette.tsx').then((m) => ({ default: m.Palette })))
const KeysDialog = lazy(() => import('./KeysDialog.tsx').then((m) => ({ default: m.KeysDialog })))
const NewTaskDialog = lazy(() =>
  import('../new-task/NewTaskDialog.tsx').then((m) => ({ default: m.NewTaskDialog })),
)
const AddHostDialog = lazy(() =>
  import('../hosts/AddHostDialog.tsx').then((m) => ({ default: m.AddHostDialog })),
)

/** The keys that work everywhere, and what they open. */
export function Commands() {
  const overlay = useOverlay()
  const close = () => setOverlay(undefined)
  useShortcut('mod+k', () => setOverlay(overlay === 'palette' ? undefined : 'palette'))
  useShortcut('n', overlay === undefined ? () => setOverlay('new_task') : undefined)
  useShortcut('?', overlay === undefined ? () => setOverlay('keys') : undefined)
  // The menus of the system ask for the same things.
  useEffect(
    () =>
      subscribe('desk.command', ({ command }) => {
        // As with its key: it is no way out of a dialog.
        const isOverDialog = document.querySelector('[role="dialog"]') !== null
        if (command !== 'palette' || !isOverDialog) setOverlay(command)
      }),
    [],
  )
  return (
    <Suspense>
      {sections.map((section, index) => (
        <GoTo key={section.id} keys={`mod+${index + 1}`} route={`/${section.id}`} />
      ))}
      {overlay === 'palette' ? <Palette onClose={close} /> : null}
      {overlay === 'new_task' ? <NewTaskDialog onClose={close} /> : null}
      {overlay === 'keys' ? <KeysDialog onClose={close} /> : null}
      {overlay === 'add_host' ? <AddHostDialog onClose={close} /> : null}
    </Suspense>
  )
}

function GoTo({ keys, route }: { keys: string; route: string }) {
  useShortcut(keys, () => navigate(route))
  return null
}
