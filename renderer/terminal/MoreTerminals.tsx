import { visibleLine } from '../../shared/domain/visible.ts'
import { useHostLabels } from '../app/host-words.ts'
import { useCall } from '../bridge/use-call.ts'
import { useText } from '../i18n/i18n.ts'
import { MenuItem } from '../ui/Menu.tsx'
import { terminalKey, type OpenTerminal } from './open-terminals.ts'

const SHOWN = 20

/** Tasks that go on and whose terminal is not open. */
export function MoreTerminals({
  open,
  onOpen,
}: {
  open: readonly OpenTerminal[]
  onOpen: (place: { host: string; taskId: string }) => void
}) {
  const { t } = useText()
  const labelOf = useHostLabels()
  const { data } = useCall(
    'task.window',
    { limit: 100, states: ['submitted', 'running', 'waiting_answer', 'waiting_review'] },
    { refreshOn: () => true },
  )
  const others = data?.rows.filter(
    ({ host, taskId }) => !open.some(({ key }) => key === terminalKey(host, taskId)),
  )
  if (others === undefined) return null
  if (others.length === 0)
    return (
      <MenuItem disabled onSelect={() => undefined}>
        {t('terminal.tabs.none')}
      </MenuItem>
    )
  return others.slice(0, SHOWN).map((row) => (
    <MenuItem key={row.key} note={labelOf(row.host)} onSelect={() => onOpen(row)}>
      {visibleLine(row.title)}
    </MenuItem>
  ))
}
