import { Suspense, lazy } from 'react'
import { routeTo } from '../../shared/ipc/routes.ts'
import { navigate } from '../app/navigation.ts'
import { useText } from '../i18n/i18n.ts'
import { Empty } from '../ui/Empty.tsx'
import { TaskList } from './TaskList.tsx'
import { TaskPage } from './TaskPage.tsx'
import { isTab } from './tabs.ts'
import styles from './TasksScreen.module.css'

const ReviewScreen = lazy(() =>
  import('../review/ReviewScreen.tsx').then((m) => ({ default: m.ReviewScreen })),
)

/** All tasks of all hosts, and the one that is open. Reviewing its changes takes the whole width. */
export function TasksScreen({ parts }: { parts: string[] }) {
  const { t } = useText()
  const [host, taskId, tab] = parts
  if (host !== undefined && taskId !== undefined && tab === 'changes')
    return (
      <Suspense fallback={<div aria-busy="true" />}>
        <ReviewScreen key={`${host}/${taskId}`} host={host} taskId={taskId} />
      </Suspense>
    )
  const isOpen = host !== undefined && taskId !== undefined
  return (
    <div className={`${styles.screen} ${isOpen ? styles.withTask : ''}`}>
      <TaskList selected={isOpen ? `${host}/${taskId}` : undefined} />
      {isOpen ? (
        <TaskPage
          key={`${host}/${taskId}`}
          host={host}
          taskId={taskId}
          tab={tab !== undefined && isTab(tab) ? tab : 'timeline'}
          onTab={(next) => navigate(routeTo('tasks', host, taskId, next), { replace: true })}
        />
      ) : (
        <section className={styles.nothing}>
          <Empty title={t('tasks.choose')}>{t('tasks.chooseText')}</Empty>
        </section>
      )}
    </div>
  )
}
