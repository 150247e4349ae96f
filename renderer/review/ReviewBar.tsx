import { ArrowLeft, Settings2 } from 'lucide-react'
import type { IpcOutput } from '../../shared/ipc.ts'
import { visibleLine } from '../../shared/domain/visible.ts'
import { taskRoute } from '../../shared/ipc/routes.ts'
import { navigate } from '../app/navigation.ts'
import { changeSettingsAside, useSettings } from '../bridge/desk-store.ts'
import { useText } from '../i18n/i18n.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { Menu, MenuItem, MenuLine } from '../ui/Menu.tsx'
import { Select } from '../ui/Fields.tsx'
import { Crumb, PaneBar } from '../ui/Pane.tsx'
import type { DiffChoice } from './use-diff.ts'
import styles from './Review.module.css'

/** Whose changes these are, which of them are shown, and how. */
export function ReviewBar({
  host,
  taskId,
  detail,
  commits,
  choice,
  onChoice,
  isRunning,
  onRun,
}: {
  host: string
  taskId: string
  detail: IpcOutput<'task.get'> | undefined
  /** How many the shown changes are made of. */
  commits: number | undefined
  choice: DiffChoice
  onChoice: (choice: DiffChoice) => void
  isRunning: boolean
  /** Absent where there is no worktree (any more) to run something in. */
  onRun: (() => void) | undefined
}) {
  const { t } = useText()
  const settings = useSettings().review
  const task = detail?.task
  const set = (change: Partial<typeof settings>) => changeSettingsAside({ review: change })
  return (
    <PaneBar className={styles.bar}>
      <IconButton label={t('review.back')} onClick={() => navigate(taskRoute(host, taskId))}>
        <ArrowLeft size={16} />
      </IconButton>
      <h1>{visibleLine(task?.title ?? '')}</h1>
      <Crumb className={styles.crumb}>
        {task === undefined
          ? ''
          : [
              t('tasks.round', { round: task.round }),
              commits === undefined ? '' : t('review.commits', { count: commits }),
              visibleLine(task.branch),
            ]
              .filter(Boolean)
              .join(' · ')}
      </Crumb>
      <RoundChoice detail={detail} choice={choice} onChoice={onChoice} />
      <Menu
        align="end"
        trigger={
          <IconButton label={t('review.layout')}>
            <Settings2 size={15} />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => set({ layout: 'unified' })} note={settings.layout === 'unified' ? '✓' : ''}>
          {t('review.unified')}
        </MenuItem>
        <MenuItem onSelect={() => set({ layout: 'split' })} note={settings.layout === 'split' ? '✓' : ''}>
          {t('review.split')}
        </MenuItem>
        <MenuLine />
        <MenuItem onSelect={() => set({ wrap: !settings.wrap })} note={settings.wrap ? '✓' : ''}>
          {t('review.wrap')}
        </MenuItem>
      </Menu>
      {onRun === undefined ? null : (
        <Button aria-pressed={isRunning} onClick={onRun}>
          {t('review.run')}
        </Button>
      )}
    </PaneBar>
  )
}

function RoundChoice({
  detail,
  choice,
  onChoice,
}: {
  detail: IpcOutput<'task.get'> | undefined
  choice: DiffChoice
  onChoice: (choice: DiffChoice) => void
}) {
  const { t } = useText()
  const rounds = detail?.rounds.map(({ round }) => round) ?? []
  if (rounds.length === 0) return null
  const options: [value: string, label: string][] = [['', t('review.whole')]]
  for (const round of rounds) options.push([`${round}`, t('review.round', { round })])
  for (const round of rounds)
    for (const against of rounds.filter((one) => one < round - 1))
      options.push([`${round} ${against}`, t('review.against', { round, against })])
  for (const round of rounds.slice(1, -1)) options.push([`${round} 0`, t('review.againstBase', { round })])
  const value = [choice.round, choice.against].filter((part) => part !== undefined).join(' ')
  return (
    <Select
      value={value}
      aria-label={t('review.which')}
      onChange={(event) => {
        const [round, against] = event.target.value.split(' ').filter(Boolean).map(Number)
        onChoice({ round, against })
      }}
    >
      {options.map(([key, label]) => (
        <option key={key} value={key}>
          {label}
        </option>
      ))}
    </Select>
  )
}
