import { useDesk, useSettings } from '../bridge/desk-store.ts'
import { useText } from '../i18n/i18n.ts'
import { setOverlay } from '../palette/open.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import { Group, TextRow } from './Rows.tsx'
import styles from './Settings.module.css'
import { useChange } from './use-change.ts'

/** The key that works everywhere on the computer, and the list of all others. */
export function ShortcutsSection() {
  const { t } = useText()
  const { shortcuts } = useSettings()
  const can = useDesk((desk) => desk.can.globalShortcut)
  const { change, error } = useChange()
  return (
    <>
      {error === undefined ? null : <ErrorNote error={error} />}
      <Group>
        {can ? (
          <TextRow
            label={t('settings.shortcuts.global')}
            note={t('settings.shortcuts.globalNote')}
            value={shortcuts.global}
            placeholder={t('settings.shortcuts.globalHint')}
            onChange={(global) => change({ shortcuts: { global: global.trim() } })}
          />
        ) : (
          <div className={styles.row}>
            <span className={styles.label}>
              {t('settings.shortcuts.global')}
              <small>{t('settings.shortcuts.globalNot')}</small>
            </span>
          </div>
        )}
      </Group>
      <p className={styles.tools}>
        <Button shortcut="?" onClick={() => setOverlay('keys')}>
          {t('settings.shortcuts.all')}
        </Button>
      </p>
    </>
  )
}
