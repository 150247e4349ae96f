import { createPortal } from 'react-dom'
import { CrashBoundary } from '../app/CrashBoundary.tsx'
import { tellEnded, tellNews, useOpenTerminals } from './open-terminals.ts'
import { TerminalView } from './TerminalView.tsx'

/** All terminals that are under way. They live here, so that one keeps its lines and its connection while it is not shown. */
export function TerminalDeck() {
  const { list, shown } = useOpenTerminals()
  return list
    .filter(({ isBegun }) => isBegun)
    .map(({ key, host, taskId, window, element }) =>
      createPortal(
        <CrashBoundary>
          <TerminalView
            host={host}
            taskId={taskId}
            window={window}
            isShown={key === shown}
            isKept={shown !== undefined}
            onNews={() => tellNews(key)}
            onEnded={window === undefined ? undefined : tellEnded}
          />
        </CrashBoundary>,
        element,
        key,
      ),
    )
}
