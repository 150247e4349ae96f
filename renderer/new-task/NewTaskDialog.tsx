import { useEffect, useState } from 'react'
import type { IpcEvent } from '../../shared/ipc.ts'
import { taskRoute } from '../../shared/ipc/routes.ts'
import { call, subscribe } from '../bridge/bridge.ts'
import { navigate } from '../app/navigation.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import { useShortcut } from '../ui/shortcuts.ts'
import { useJob } from '../ui/use-job.ts'
import { NewTaskForm } from './NewTaskForm.tsx'
import styles from './NewTask.module.css'
import { stops, useDraft } from './use-draft.ts'
import { useCheck } from './use-check.ts'

/** Hands a plan to an executor. What would stop the task is checked while the form is filled in. */
export function NewTaskDialog({ onClose }: { onClose: () => void }) {
  const { t } = useText()
  const draft = useDraft()
  const check = useCheck(draft.value)
  const start = useStart(draft, onClose)
  const isStopped = check.result === undefined || stops(check.result.problems)
  const canStart =
    draft.value.plan.trim() !== '' && draft.value.executor !== '' && !isStopped && !start.isRunning
  useShortcut('mod+enter', canStart ? () => start.run() : undefined)
  const closeSafely = () => (start.isRunning ? start.stop() : onClose())
  return (
    <Dialog
      title={t('newTask.title')}
      onClose={closeSafely}
      footer={
        <>
          <span className={styles.status} role="status">
            {start.isRunning
              ? stepWords(start.progress, t)
              : check.isChecking
                ? t('newTask.checking')
                : canStart
                  ? t('newTask.ready')
                  : ''}
          </span>
          <Button onClick={closeSafely}>{start.isRunning ? t('newTask.stop') : t('common.cancel')}</Button>
          <Button
            look="primary"
            shortcut="mod+enter"
            busy={start.isRunning}
            disabled={!canStart}
            onClick={() => start.run()}
          >
            {t('newTask.start')}
          </Button>
        </>
      }
    >
      <NewTaskForm draft={draft} check={check} />
      {start.error === undefined ? null : <ErrorNote error={start.error} />}
    </Dialog>
  )
}

type Progress = IpcEvent<'job.progress'>

function stepWords(progress: Progress | undefined, t: ReturnType<typeof useText>['t']): string {
  if (progress === undefined) return t('newTask.step.starting')
  const percent =
    progress.total === undefined || progress.total === 0
      ? 0
      : Math.floor(((progress.done ?? 0) / progress.total) * 100)
  return t(`newTask.step.${progress.step}`, { percent })
}

function useStart(draft: ReturnType<typeof useDraft>, onClose: () => void) {
  const [progress, setProgress] = useState<Progress>()
  const { run, stop, isRunning, error, current } = useJob(async (jobId) => {
    setProgress(undefined)
    const { plan, host, repoPath, executor, base, inPlace, takeDirty } = draft.value
    const { task } = await call('task.dispatch', {
      jobId,
      host,
      repoPath,
      executor,
      plan,
      ...(base === '' ? {} : { base }),
      inPlace,
      includeDirty: takeDirty && !inPlace,
      allowDirty: takeDirty && inPlace,
    })
    draft.forget()
    onClose()
    navigate(taskRoute(host, task.id))
  })
  useEffect(
    () => subscribe('job.progress', (step) => step.jobId === current.current && setProgress(step)),
    [current],
  )
  return { run, stop, isRunning, error, progress }
}
