import { INBOX_ROUTE } from '../../shared/ipc/routes.ts'
import { call } from '../bridge/bridge.ts'
import { changeSettingsAside, useSettings } from '../bridge/desk-store.ts'
import { tellFailure } from '../bridge/failures.ts'
import { say } from '../bridge/said.ts'
import { navigate } from '../app/navigation.ts'
import { sections } from '../app/routes.tsx'
import { useText, type Translate } from '../i18n/i18n.ts'
import { startDemo } from '../welcome/demo.ts'
import { setOverlay } from './open.ts'

/** One command of the palette. */
export interface CommandEntry {
  id: string
  group: 'go' | 'do'
  label: string
  keys?: string
  run: () => void
}

const HOUR_MS = 3_600_000

/** Every command, in the words of the window. */
export function useCommands(): CommandEntry[] {
  const { t } = useText()
  const { notifications } = useSettings()
  const isQuiet = notifications.quietUntil > Date.now()
  const go = sections.map((section, index) => ({
    id: `go-${section.id}`,
    group: 'go' as const,
    label: t(section.label),
    keys: `mod+${index + 1}`,
    run: () => navigate(`/${section.id}`),
  }))
  return [
    ...go,
    act('new-task', t('palette.newTask'), () => setOverlay('new_task'), 'n'),
    act('add-host', t('palette.addHost'), () => setOverlay('add_host')),
    act('demo', t('palette.demo'), demoFromAnywhere),
    ...(isQuiet
      ? [act('quiet-end', t('palette.quietEnd'), () => quiet(0))]
      : [
          act('quiet-hour', t('palette.quietHour'), () => quiet(Date.now() + HOUR_MS)),
          act('quiet-day', t('palette.quietDay'), () => quiet(tomorrowAtEight())),
        ]),
    act('reconnect', t('palette.reconnect'), () => void call('host.wake', {}).catch(tellFailure)),
    ...appearance(t),
    act('keys', t('palette.keys'), () => setOverlay('keys'), '?'),
  ]
}

/** Its first request opens by itself in the inbox, which shows other things until then. */
function demoFromAnywhere(): void {
  navigate(INBOX_ROUTE)
  say('welcome.begun')
  startDemo(tellFailure)
}

function appearance(t: Translate): CommandEntry[] {
  return [
    act('theme-light', t('palette.themeLight'), () => changeSettingsAside({ theme: 'light' })),
    act('theme-dark', t('palette.themeDark'), () => changeSettingsAside({ theme: 'dark' })),
    act('theme-system', t('palette.themeSystem'), () => changeSettingsAside({ theme: 'system' })),
    act('english', t('palette.english'), () => changeSettingsAside({ language: 'en' })),
    act('chinese', t('palette.chinese'), () => changeSettingsAside({ language: 'zh' })),
  ]
}

function act(id: string, label: string, run: () => void, keys?: string): CommandEntry {
  return { id, group: 'do', label, run, ...(keys === undefined ? {} : { keys }) }
}

function quiet(until: number): void {
  changeSettingsAside({ notifications: { quietUntil: until } })
}

function tomorrowAtEight(): number {
  const date = new Date()
  date.setDate(date.getDate() + 1)
  return date.setHours(8, 0, 0, 0)
}
