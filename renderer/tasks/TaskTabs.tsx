import { Tabs } from 'radix-ui'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { visibleLine } from '../../shared/domain/visible.ts'
import { reviewRoute } from '../../shared/ipc/routes.ts'
import { touches, useCall } from '../bridge/use-call.ts'
import { navigate } from '../app/navigation.ts'
import { useText } from '../i18n/i18n.ts'
import { PlanView, prepareMarkdown } from './PlanView.tsx'
import { taskTabs, isTab, type TaskTab } from './tabs.ts'
import styles from './TaskTabs.module.css'
import { Timeline } from './Timeline.tsx'
import { UsageView } from './UsageView.tsx'

const TerminalPlace = lazy(() =>
  import('../terminal/TerminalPlace.tsx').then((m) => ({ default: m.TerminalPlace })),
)

/** The parts of a task. Without `tab` it keeps track of the open one itself (below a ticket in the inbox). */
export function TaskTabs({
  host,
  taskId,
  tab,
  onTab,
}: {
  host: string
  taskId: string
  tab?: TaskTab
  onTab?: (tab: TaskTab) => void
}) {
  const { t } = useText()
  const [own, setOwn] = useState<TaskTab>('timeline')
  const current = tab ?? own
  const { data, error } = useCall('task.get', { host, taskId }, { refreshOn: touches(host, taskId) })
  const files = data?.task.changes?.files ?? 0
  const choose = (value: string) => {
    if (!isTab(value)) return
    // Changes are reviewed in the whole window.
    if (value === 'changes') return navigate(reviewRoute(host, taskId))
    if (onTab === undefined) setOwn(value)
    else onTab(value)
  }
  if (error?.code === 'task_not_found') return null
  return (
    <Tabs.Root className={styles.tabs} value={current} onValueChange={choose} activationMode="manual">
      <Tabs.List className={styles.list} aria-label={t('tasks.tabs.label')}>
        {taskTabs.map((one) => (
          <Tabs.Trigger
            key={one}
            value={one}
            className={styles.tab}
            {...(one === 'plan' ? { onPointerEnter: prepareMarkdown, onFocus: prepareMarkdown } : {})}
          >
            {t(`tasks.tabs.${one}`)}
            {one === 'changes' && files > 0 ? <span className={styles.number}>{files}</span> : null}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      <Panel value="timeline">
        <Timeline host={host} taskId={taskId} detail={data} onPlan={() => choose('plan')} />
      </Panel>
      <Panel value="terminal">
        <Suspense fallback={<div aria-busy="true" />}>
          {current === 'terminal' ? (
            <TerminalPlace
              host={host}
              taskId={taskId}
              title={data && visibleLine(data.task.title)}
              onNone={() => choose('timeline')}
            />
          ) : null}
        </Suspense>
      </Panel>
      <Panel value="plan">
        <PlanView host={host} detail={data} />
      </Panel>
      <Panel value="usage">
        <UsageView detail={data} />
      </Panel>
    </Tabs.Root>
  )
}

function Panel({ value, children }: { value: TaskTab; children: ReactNode }) {
  return (
    <Tabs.Content value={value} className={styles.panel}>
      {children}
    </Tabs.Content>
  )
}
