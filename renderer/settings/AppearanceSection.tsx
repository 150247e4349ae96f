import { useDesk, useSettings } from '../bridge/desk-store.ts'
import { useText } from '../i18n/i18n.ts'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import { Choice, Group, Toggle } from './Rows.tsx'
import styles from './Settings.module.css'
import { useChange } from './use-change.ts'

const LANGUAGES = { en: 'English', zh: '简体中文' } as const
const EDITORS = {
  vscode: 'VS Code',
  cursor: 'Cursor',
  zed: 'Zed',
  idea: 'IntelliJ IDEA',
  vim: 'Vim',
} as const

/** Language, colours, density, and what happens at the start. */
export function AppearanceSection() {
  const { t } = useText()
  const settings = useSettings()
  const can = useDesk((desk) => desk.can)
  const { change, error } = useChange()
  return (
    <>
      {error === undefined ? null : <ErrorNote error={error} />}
      <Group>
        <Choice
          label={t('settings.appearance.language')}
          value={settings.language}
          options={[['system', t('settings.appearance.languageSystem')], ...entries(LANGUAGES)]}
          onChange={(language) => change({ language })}
        />
        <Choice
          label={t('settings.appearance.theme')}
          value={settings.theme}
          options={[
            ['system', t('settings.appearance.system')],
            ['light', t('settings.appearance.light')],
            ['dark', t('settings.appearance.dark')],
          ]}
          onChange={(theme) => change({ theme })}
        />
        <Choice
          label={t('settings.appearance.density')}
          value={settings.density}
          options={[
            ['comfortable', t('settings.appearance.comfortable')],
            ['compact', t('settings.appearance.compact')],
          ]}
          onChange={(density) => change({ density })}
        />
        <Toggle
          label={t('settings.appearance.motion')}
          note={t('settings.appearance.motionNote')}
          value={settings.reduceMotion}
          onChange={(reduceMotion) => change({ reduceMotion })}
        />
        <Choice
          label={t('settings.appearance.editor')}
          value={settings.editor}
          options={[['system', t('settings.appearance.editorSystem')], ...entries(EDITORS)]}
          onChange={(editor) => change({ editor })}
        />
      </Group>
      {can.launchAtLogin ? (
        <>
          <h3 className={styles.subhead}>{t('settings.appearance.startup')}</h3>
          <Group>
            <Toggle
              label={t('settings.appearance.launchAtLogin')}
              value={settings.startup.launchAtLogin}
              onChange={(launchAtLogin) => change({ startup: { launchAtLogin } })}
            />
            <Toggle
              label={t('settings.appearance.openWindow')}
              value={settings.startup.openWindow}
              onChange={(openWindow) => change({ startup: { openWindow } })}
            />
          </Group>
        </>
      ) : null}
    </>
  )
}

function entries<K extends string>(table: Readonly<Record<K, string>>): [K, string][] {
  return Object.entries(table) as [K, string][]
}
