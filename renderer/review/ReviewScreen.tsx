import { useCallback, useMemo, useRef, useState } from 'react'
import { visibleText } from '../../shared/domain/visible.ts'
import { call } from '../bridge/bridge.ts'
import { useSettings } from '../bridge/desk-store.ts'
import { asAppError, touches, useCall } from '../bridge/use-call.ts'
import type { AppError } from '../../shared/errors.ts'
import { useText } from '../i18n/i18n.ts'
import { Empty } from '../ui/Empty.tsx'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import { Pane } from '../ui/Pane.tsx'
import { useShortcut } from '../ui/shortcuts.ts'
import { CommentBox } from './comments/CommentBox.tsx'
import { useReviewNotes } from './comments/comment-store.ts'
import { outdated } from './comments/place.ts'
import { DiffView, type DiffHandle } from './diff/DiffView.tsx'
import type { DiffFile } from './diff/parse.ts'
import { FileTree } from './FileTree.tsx'
import { ReviewBar } from './ReviewBar.tsx'
import { ReviewFoot } from './ReviewFoot.tsx'
import styles from './Review.module.css'
import { RunPanel } from './RunPanel.tsx'
import { fingerprint, useDiff, type DiffChoice } from './use-diff.ts'

/** The changes of a task, to be judged: read, commented on, sent back, or approved. */
export function ReviewScreen({ host, taskId }: { host: string; taskId: string }) {
  const { t } = useText()
  const [choice, setChoice] = useState<DiffChoice>({})
  const [current, setCurrent] = useState(0)
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<AppError>()
  const settings = useSettings().review
  const task = useCall('task.get', { host, taskId }, { refreshOn: touches(host, taskId) })
  const diff = useDiff(host, taskId, choice)
  const review = useReviewNotes(`${host}/${taskId}`)
  const view = useRef<DiffHandle>(null)
  const { viewed, comments } = review.notes
  const isViewed = useCallback(
    // A fingerprint takes reading the file; most have never been viewed.
    (file: DiffFile) => viewed[file.path] !== undefined && viewed[file.path] === fingerprint(file),
    [viewed],
  )
  const setViewed = (file: DiffFile, is: boolean) =>
    review.setViewed(file.path, is ? fingerprint(file) : undefined)
  const open = (file: DiffFile, line?: number) => {
    setError(undefined)
    call('open.editor', { host, taskId, path: file.path, ...(line === undefined ? {} : { line }) }).then(
      ({ opened, why, path }) =>
        !opened && setError(asAppError(new Error(why === undefined ? path : `${why} ${path}`))),
      (reason: unknown) => setError(asAppError(reason)),
    )
  }
  const step = (by: number) => {
    const next = Math.max(0, Math.min(diff.files.length - 1, current + by))
    view.current?.showFile(next)
  }
  useShortcut(']', () => step(1))
  useShortcut('[', () => step(-1))
  useShortcut('v', () => {
    const file = diff.files[current]
    if (file !== undefined) setViewed(file, !isViewed(file))
  })
  const lost = useMemo(() => outdated(comments, diff.files), [comments, diff.files])
  return (
    <div className={styles.screen}>
      <FileTree
        files={diff.files}
        isKnown={diff.facts !== undefined}
        current={current}
        isViewed={isViewed}
        commentCount={(file) => comments.filter((comment) => comment.path === file.path).length}
        onShow={(index) => view.current?.showFile(index)}
      />
      <Pane aria-label={t('review.which')}>
        <ReviewBar
          host={host}
          taskId={taskId}
          detail={task.data}
          choice={choice}
          onChoice={setChoice}
          isRunning={isRunning}
          onRun={() => setRunning((is) => !is)}
        />
        {error === undefined ? null : <ErrorNote error={error} />}
        {diff.error === undefined ? null : <ErrorNote error={diff.error} onRetry={diff.reload} />}
        {task.data?.task.summary === undefined ? null : <Summary text={task.data.task.summary} />}
        {diff.facts?.cut === true ? (
          <p className={styles.hint}>{t('review.cut', { id: taskId.slice(0, 8) })}</p>
        ) : null}
        {diff.facts?.uncommitted === true && task.data?.task.state !== 'waiting_review' ? (
          <p className={styles.hint}>{t('review.uncommitted')}</p>
        ) : null}
        {lost.length === 0 ? null : (
          <div className={styles.lost}>
            <p>{t('review.outdatedTitle')}</p>
            {lost.map((comment) => (
              <CommentBox
                key={comment.id}
                comment={comment}
                onChange={(text) => review.keep({ ...comment, text })}
                onDrop={() => review.drop(comment.id)}
              />
            ))}
          </div>
        )}
        {diff.facts === undefined && diff.error === undefined ? (
          <p className={styles.loading} role="status">
            {diff.readBytes === undefined || diff.readBytes === 0
              ? t('review.loading')
              : t('review.loadingBytes', { size: `${Math.round(diff.readBytes / 1_024)} KiB` })}
          </p>
        ) : null}
        {diff.facts !== undefined && diff.files.length === 0 ? (
          <Empty title={t('review.empty')}>{t('review.emptyText')}</Empty>
        ) : null}
        {diff.files.length === 0 ? null : (
          <DiffView
            ref={view}
            files={diff.files}
            layout={settings.layout}
            // Half a window is too narrow for lines that cannot be scrolled to their end.
            wrap={settings.wrap || settings.layout === 'split'}
            review={review}
            actions={{ isViewed, setViewed, open }}
            onCurrent={setCurrent}
          />
        )}
        {isRunning ? <RunPanel host={host} taskId={taskId} repo={task.data?.task.repo.name ?? ''} /> : null}
        {task.data === undefined ? null : <ReviewFoot host={host} task={task.data.task} review={review} />}
      </Pane>
    </div>
  )
}

function Summary({ text }: { text: string }) {
  const { t } = useText()
  return (
    <details className={styles.summary} open>
      <summary>{t('review.summary')}</summary>
      <p>{visibleText(text)}</p>
    </details>
  )
}
