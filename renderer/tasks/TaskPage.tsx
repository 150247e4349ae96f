import type { Task } from '../../shared/domain/task.ts'
import { visibleLine } from '../../shared/domain/visible.ts'
import { useHost } from '../bridge/desk-store.ts'
import { touches, useCall } from '../bridge/use-call.ts'
import { hostLabel } from '../app/host-words.ts'
import { navigate } from '../app/navigation.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import { Crumb, Pane, PaneBar } from '../ui/Pane.tsx'
import { Tag } from '../ui/Tag.tsx'
import { fullTime } from '../ui/time.ts'
import { StateNote } from './StateNote.tsx'
import { TaskActions } from './TaskActions.tsx'
import { TaskTabs } from './TaskTabs.tsx'
import type { TaskTab } from './tabs.ts'
import { stateTone, stateWords } from './task-words.ts'
import styles from './TaskPage.module.css'

/** One task: who does what where, what can be done with it, and its parts. */
export function TaskPage({
  host,
  taskId,
  tab,
  onTab,
}: {
  host: string
  taskId: string
  tab: TaskTab
  onTab: (tab: TaskTab) => void
}) {
  const { t, language } = useText()
  const view = useHost(host)
  const { data, error, reload } = useCall('task.get', { host, taskId }, { refreshOn: touches(host, taskId) })
  if (data === undefined)
    return (
      <Pane aria-busy={error === undefined}>
        {error?.code === 'task_not_found' ? (
          <Empty
            title={t('tasks.gone')}
            actions={<Button onClick={() => navigate('/tasks')}>{t('tasks.toTasks')}</Button>}
          >
            {t('tasks.goneText')}
          </Empty>
        ) : null}
        {error !== undefined && error.code !== 'task_not_found' ? (
          <ErrorNote error={error} onRetry={reload} />
        ) : null}
      </Pane>
    )
  const { task } = data
  const isStale = view !== undefined && view.state.kind !== 'live' && !data.fresh
  return (
    <Pane aria-label={visibleLine(task.title)}>
      <PaneBar className={styles.bar}>
        <h1 title={visibleLine(task.title)}>{visibleLine(task.title)}</h1>
        <Crumb className={styles.crumb}>
          {view === undefined ? host : hostLabel(view, t)} · {task.executor} · {visibleLine(task.branch)}
        </Crumb>
        <Tag tone={stateTone(task)}>{stateWords(task, t)}</Tag>
        <TaskActions host={host} task={task} />
      </PaneBar>
      {isStale && view !== undefined ? (
        <p className={styles.stale} role="status">
          {t('tasks.stale', {
            host: hostLabel(view, t),
            time: fullTime(knownAt(task, view.state), language),
          })}
        </p>
      ) : null}
      <StateNote host={host} detail={data} />
      <TaskTabs host={host} taskId={taskId} tab={tab} onTab={onTab} />
    </Pane>
  )
}

/** When the shown state was true for sure: when the host was lost, or the task's own last change. */
function knownAt(task: Task, state: { kind: string; since?: number }): number {
  return Math.max(task.updatedAt, state.since ?? 0)
}
