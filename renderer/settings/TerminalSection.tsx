import { terminalRanges } from '../../shared/ipc/settings.ts'
import { useSettings } from '../bridge/desk-store.ts'
import { useText } from '../i18n/i18n.ts'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import { Choice, Group, TextRow, Toggle } from './Rows.tsx'
import { useChange } from './use-change.ts'

/** How terminals look and how much they keep. */
export function TerminalSection() {
  const { t } = useText()
  const { terminal } = useSettings()
  const { change, error } = useChange()
  const number = (text: string, keep: number) =>
    Number.isFinite(Number(text)) && text !== '' ? Number(text) : keep
  return (
    <>
      {error === undefined ? null : <ErrorNote error={error} />}
      <Group>
        <TextRow
          label={t('settings.terminal.font')}
          note={t('settings.terminal.fontNote')}
          value={terminal.fontFamily}
          onChange={(fontFamily) => change({ terminal: { fontFamily } })}
        />
        <TextRow
          label={t('settings.terminal.size')}
          type="number"
          range={terminalRanges.fontSizePx}
          value={String(terminal.fontSizePx)}
          onChange={(text) => change({ terminal: { fontSizePx: number(text, terminal.fontSizePx) } })}
        />
        <TextRow
          label={t('settings.terminal.lineHeight')}
          type="number"
          range={{ ...terminalRanges.lineHeight, step: 0.05 }}
          value={String(terminal.lineHeight)}
          onChange={(text) => change({ terminal: { lineHeight: number(text, terminal.lineHeight) } })}
        />
        <TextRow
          label={t('settings.terminal.scrollback')}
          type="number"
          range={{ ...terminalRanges.scrollbackLines, step: 100 }}
          value={String(terminal.scrollbackLines)}
          onChange={(text) =>
            change({ terminal: { scrollbackLines: number(text, terminal.scrollbackLines) } })
          }
        />
        <Choice
          label={t('settings.terminal.renderer')}
          value={terminal.renderer}
          options={[
            ['auto', t('settings.terminal.auto')],
            ['webgl', t('settings.terminal.webgl')],
            ['dom', t('settings.terminal.dom')],
          ]}
          onChange={(renderer) => change({ terminal: { renderer } })}
        />
        <Toggle
          label={t('settings.terminal.cursorBlink')}
          value={terminal.cursorBlink}
          onChange={(cursorBlink) => change({ terminal: { cursorBlink } })}
        />
        <Toggle
          label={t('settings.terminal.copyOnSelect')}
          value={terminal.copyOnSelect}
          onChange={(copyOnSelect) => change({ terminal: { copyOnSelect } })}
        />
      </Group>
    </>
  )
}
