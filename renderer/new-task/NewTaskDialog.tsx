import { useEffect, useRef, useState } from 'react'
import type { AppError } from '../../shared/errors.ts'
import type { IpcEvent } from '../../shared/ipc.ts'
import { routeTo } from '../../shared/ipc/routes.ts'
import { call, cancelJob, newJobId, subscribe } from '../bridge/bridge.ts'
import { asAppError } from '../bridge/use-call.ts'
import { navigate } from '../app/navigation.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import { useShortcut } from '../ui/shortcuts.ts'
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
    draft.value.plan.trim() !== '' && draft.value.executor !== '' && !isStopped && start.jobId === undefined
  useShortcut('mod+enter', canStart ? start.run : undefined)
  const closeSafely = () => (start.jobId === undefined ? onClose() : start.stop())
  return (
    <Dialog
      title={t('newTask.title')}
      onClose={closeSafely}
      footer={
        <>
          <span className={styles.status} role="status">
            {start.jobId !== undefined
              ? stepWords(start.progress, t)
              : check.isChecking
                ? t('newTask.checking')
                : canStart
                  ? t('newTask.ready')
                  : ''}
          </span>
          <Button onClick={closeSafely}>
            {start.jobId === undefined ? t('common.cancel') : t('newTask.stop')}
          </Button>
          <Button
            look="primary"
            shortcut="mod+enter"
            busy={start.jobId !== undefined}
            disabled={!canStart}
            onClick={start.run}
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
  const [jobId, setJobId] = useState<string>()
  const [progress, setProgress] = useState<Progress>()
  const [error, setError] = useState<AppError>()
  const running = useRef(jobId)
  running.current = jobId
  useEffect(
    () => subscribe('job.progress', (step) => step.jobId === running.current && setProgress(step)),
    [],
  )
  return {
    jobId,
    progress,
    error,
    run() {
      const id = newJobId()
      setJobId(id)
      setError(undefined)
      setProgress(undefined)
      const { plan, host, repoPath, executor, base, inPlace, takeDirty } = draft.value
      call('task.dispatch', {
        jobId: id,
        host,
        repoPath,
        executor,
        plan,
        ...(base === '' ? {} : { base }),
        inPlace,
        includeDirty: takeDirty && !inPlace,
        allowDirty: takeDirty && inPlace,
      })
        .then(
          ({ task }) => {
            draft.forget()
            onClose()
            navigate(routeTo('tasks', host, task.id))
          },
          (reason: unknown) => {
            const failure = asAppError(reason)
            if (failure.code !== 'cancelled') setError(failure)
          },
        )
        .finally(() => setJobId(undefined))
    },
    stop() {
      if (running.current !== undefined) cancelJob(running.current)
    },
  }
}
