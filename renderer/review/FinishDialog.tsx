import { useState } from 'react'
import type { Task } from '../../shared/domain/task.ts'
import type { IpcOutput } from '../../shared/ipc.ts'
import { visibleLine } from '../../shared/domain/visible.ts'
import { taskRoute } from '../../shared/ipc/routes.ts'
import { call } from '../bridge/bridge.ts'
import { navigate } from '../app/navigation.ts'
import { useHostLabel } from '../app/host-words.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { Coded } from '../ui/Coded.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import { hostSentence } from '../ui/host-sentences.ts'
import { useAction } from '../ui/use-action.ts'
import styles from './Review.module.css'

/** What is known of the branch of a task that may end. */
export interface TaskBranch {
  /** The remote that it would be pushed to; null: there is none; undefined: the host has not said. */
  pushTo: IpcOutput<'task.diff'>['pushTo']
  /** False when all that was done is in the worktree only. */
  hasCommits: boolean
}

/** The end of a task: asked about once, since it cannot be undone, and its outcome is shown. */
export function FinishDialog({
  host,
  task,
  unsent,
  branch,
  onFinished,
  onClose,
}: {
  host: string
  task: Task
  unsent: number
  branch: TaskBranch
  onFinished: () => void
  onClose: () => void
}) {
  const { t } = useText()
  const place = useHostLabel(host)
  const [push, setPush] = useState(false)
  const [keepWorktree, setKeepWorktree] = useState(false)
  const [done, setDone] = useState<IpcOutput<'task.done'> & { hasCommits: boolean }>()
  // The task goes on behind the dialog; what was read before it was opened is what is decided on.
  const [round] = useState(task.round)
  const leave = () => {
    onClose()
    navigate(taskRoute(host, task.id))
  }
  const finish = useAction(async () => {
    const outcome = await call('task.done', {
      host,
      taskId: task.id,
      push: push && branch.pushTo !== null,
      keepWorktree,
      round,
    })
    onFinished()
    // As it was before the end: what is behind the dialog is read anew.
    setDone({ ...outcome, hasCommits: branch.hasCommits })
  })
  const { error } = finish
  return (
    <Dialog
      title={t(done === undefined ? 'review.finishTitle' : 'review.finishedTitle')}
      width={480}
      onClose={done === undefined ? onClose : leave}
      footer={
        <>
          <span style={{ flex: 1 }} />
          {done === undefined ? (
            <>
              <Button onClick={onClose}>{t('common.cancel')}</Button>
              <Button look="primary" busy={finish.isBusy} onClick={() => finish.run()}>
                {t('review.finishYes')}
              </Button>
            </>
          ) : (
            <Button look="primary" onClick={leave}>
              {t('common.close')}
            </Button>
          )}
        </>
      }
    >
      {done === undefined ? (
        <Choices
          name={task.branch}
          place={place}
          unsent={unsent}
          branch={branch}
          push={push}
          onPush={setPush}
          keepWorktree={keepWorktree}
          onKeepWorktree={setKeepWorktree}
        />
      ) : (
        <div className={styles.dialog} role="status">
          {done.hasCommits ? <WhereItIs branch={task.branch} /> : <p>{t('review.finishedNone')}</p>}
          {done.push === undefined ? null : <p>{t('review.pushed', { text: hostSentence(done.push, t) })}</p>}
          {done.worktreeWhy === undefined ? null : (
            <p>{t('review.worktreeKept', { text: hostSentence(done.worktreeWhy, t) })}</p>
          )}
        </div>
      )}
      {error === undefined ? null : <ErrorNote error={error} />}
    </Dialog>
  )
}

/** What the end takes along, and what it leaves. */
function Choices({
  name,
  place,
  unsent,
  branch: { pushTo, hasCommits },
  push,
  onPush,
  keepWorktree,
  onKeepWorktree,
}: {
  name: string
  /** The host, as people call it. */
  place: string
  unsent: number
  branch: TaskBranch
  push: boolean
  onPush: (push: boolean) => void
  keepWorktree: boolean
  onKeepWorktree: (keep: boolean) => void
}) {
  const { t } = useText()
  return (
    <div className={styles.dialog}>
      <p className={hasCommits ? undefined : styles.dropped}>
        {t(hasCommits ? 'review.finishText' : 'review.finishTextNone', { branch: visibleLine(name) })}
      </p>
      {unsent === 0 ? null : (
        <p role="alert" className={styles.dropped}>
          {t('review.comments', { count: unsent })}
        </p>
      )}
      {pushTo === null ? (
        <p>{t('review.pushNowhere')}</p>
      ) : (
        <label>
          <input type="checkbox" checked={push} onChange={(event) => onPush(event.target.checked)} />
          <span>
            {pushTo === undefined ? t('review.push') : t('review.pushTo', { remote: visibleLine(pushTo) })}
            <small>{t('review.pushNote', { host: place })}</small>
          </span>
        </label>
      )}
      <label>
        <input
          type="checkbox"
          checked={keepWorktree}
          onChange={(event) => onKeepWorktree(event.target.checked)}
        />
        {t('review.keepWorktree')}
      </label>
    </div>
  )
}

/** Letters that mean nothing to a shell; a host has written the name, and a person is to paste it. */
const PLAIN_NAME = /^[\w./-]+$/

/** How to get at the work of a task that is over. */
function WhereItIs({ branch }: { branch: string }) {
  const { t } = useText()
  const merge = `git merge ${branch}`
  return (
    <>
      <p className={styles.take}>
        <span>
          <Coded text={t('review.finished', { branch: visibleLine(branch) })} />
        </span>
        <CopyButton text={branch} what={t('tasks.copyBranch')} />
      </p>
      {PLAIN_NAME.test(branch) ? (
        <p className={styles.take}>
          <span>
            <Coded text={t('review.takeIn', { command: merge })} />
          </span>
          <CopyButton text={merge} what={t('review.copyCommand')} />
        </p>
      ) : null}
    </>
  )
}
