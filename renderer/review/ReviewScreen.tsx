import { useCallback, useMemo, useRef, useState } from 'react'
import { isOver, shortId, type Task } from '../../shared/domain/task.ts'
import { visibleText } from '../../shared/domain/visible.ts'
import { useSettings } from '../bridge/desk-store.ts'
import { openInEditor } from '../bridge/open-editor.ts'
import { touches, useCall } from '../bridge/use-call.ts'
import { useText } from '../i18n/i18n.ts'
import { Empty } from '../ui/Empty.tsx'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import { Pane } from '../ui/Pane.tsx'
import { useShortcut } from '../ui/shortcuts.ts'
import { useAction } from '../ui/use-action.ts'
import { CommentBox } from './comments/CommentBox.tsx'
import { useReviewNotes, type KeptComment, type ReviewNotesState } from './comments/comment-store.ts'
import { outdated } from './comments/place.ts'
import { DiffView, type DiffHandle } from './diff/DiffView.tsx'
import { fingerprint } from './diff/fingerprint.ts'
import type { DiffFile } from './diff/parse.ts'
import { FileTree } from './FileTree.tsx'
import { ReviewBar } from './ReviewBar.tsx'
import { ReviewFoot } from './ReviewFoot.tsx'
import styles from './Review.module.css'
import { RunPanel } from './RunPanel.tsx'
import { useDiff, type DiffChoice, type DiffState } from './use-diff.ts'

/** The changes of a task, to be judged: read, commented on, sent back, or approved. */
export function ReviewScreen({ host, taskId }: { host: string; taskId: string }) {
  const { t } = useText()
  const [choice, setChoice] = useState<DiffChoice>({})
  const [current, setCurrent] = useState(0)
  const [isRunning, setRunning] = useState(false)
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
  const open = useAction((file: DiffFile) =>
    openInEditor({ host, taskId, path: file.path, ...firstChange(file) }),
  )
  const step = (by: number) => {
    const next = Math.max(0, Math.min(diff.files.length - 1, current + by))
    view.current?.showFile(next)
  }
  useShortcut(']', () => step(1))
  useShortcut('[', () => step(-1))
  useShortcut('v', () => {
    const file = diff.files[current]
    if (file === undefined) return
    // It stays the current one, also when it is only its head from now on.
    view.current?.showFile(current)
    setViewed(file, !isViewed(file))
  })
  const canRun = hasPlaceToRun(task.data?.task, diff.facts)
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
          commits={diff.facts?.commits}
          choice={choice}
          onChoice={setChoice}
          isRunning={isRunning}
          onRun={canRun ? () => setRunning((is) => !is) : undefined}
        />
        {open.error === undefined ? null : <ErrorNote error={open.error} />}
        {diff.error === undefined ? null : <ErrorNote error={diff.error} onRetry={diff.reload} />}
        {task.data?.task.summary === undefined ? null : <Summary text={task.data.task.summary} />}
        <Hints taskId={taskId} task={task.data?.task} facts={diff.facts} hasFiles={diff.files.length > 0} />
        {lost.length === 0 ? null : <Outdated comments={lost} review={review} />}
        {diff.facts === undefined && diff.error === undefined ? <Reading bytes={diff.readBytes} /> : null}
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
            actions={{ isViewed, setViewed, open: open.run }}
            onCurrent={setCurrent}
          />
        )}
        {isRunning && canRun ? (
          <RunPanel host={host} taskId={taskId} repo={task.data?.task.repo.name ?? ''} />
        ) : null}
        {task.data === undefined ? null : (
          <ReviewFoot
            host={host}
            task={task.data.task}
            review={review}
            branch={{ pushTo: diff.facts?.pushTo, hasCommits: hasCommits(choice, diff) }}
          />
        )}
      </Pane>
    </div>
  )
}

/** Whether there is a worktree to run something in; of an older host's task only that a finished one usually has none. */
function hasPlaceToRun(task: Task | undefined, facts: DiffState['facts']): boolean {
  if (task === undefined) return false
  return facts?.hasWorktree ?? task.state !== 'completed'
}

/** Whether the branch has something of the task; only all changes together can show that it has not. */
function hasCommits(choice: DiffChoice, { facts, files }: DiffState): boolean {
  const isAll = choice.round === undefined && choice.against === undefined
  return !(isAll && facts?.commits === 0 && files.length > 0)
}

/** What has to be known of the shown changes before they are judged. */
function Hints({
  taskId,
  task,
  facts,
  hasFiles,
}: {
  taskId: string
  task: Task | undefined
  facts: DiffState['facts']
  hasFiles: boolean
}) {
  const { t } = useText()
  const isNothingCommitted = task?.state === 'waiting_review' && hasFiles && facts?.commits === 0
  const uncommitted = isNothingCommitted ? 'review.uncommittedAll' : uncommittedWords(task?.state)
  return (
    <>
      {facts?.cut === true ? <p className={styles.hint}>{t('review.cut', { id: shortId(taskId) })}</p> : null}
      {facts?.uncommitted === true && uncommitted !== undefined ? (
        <p className={styles.hint}>{t(uncommitted)}</p>
      ) : null}
    </>
  )
}

/** What is said of changes that are not committed; where the person judges or has judged the commits, nothing. */
function uncommittedWords(state: Task['state'] | undefined) {
  if (state === undefined || state === 'waiting_review' || state === 'completed') return undefined
  if (state === 'waiting_answer') return 'review.uncommittedWaiting'
  return isOver(state) ? 'review.uncommittedOver' : 'review.uncommitted'
}

/** Comments whose lines are not part of the changes any more: they are sent all the same, unless they are taken away. */
function Outdated({ comments, review }: { comments: readonly KeptComment[]; review: ReviewNotesState }) {
  const { t } = useText()
  return (
    <div className={styles.lost}>
      <p>{t('review.outdatedTitle')}</p>
      {comments.map((comment) => (
        <CommentBox
          key={comment.id}
          comment={comment}
          onChange={(text) => review.keep({ ...comment, text })}
          onDrop={() => review.drop(comment.id)}
        />
      ))}
    </div>
  )
}

/** Where an editor should begin; a file that is gone or has no text has no such place. */
function firstChange({ hunks }: DiffFile): { line?: number } {
  const line = hunks[0]?.lines.find(({ kind, newLine }) => kind === 'add' && newLine !== undefined)?.newLine
  return line === undefined ? {} : { line }
}

function Reading({ bytes }: { bytes: number | undefined }) {
  const { t } = useText()
  return (
    <p className={styles.loading} role="status">
      {bytes === undefined || bytes === 0
        ? t('review.loading')
        : t('review.loadingBytes', { size: `${Math.round(bytes / 1_024)} KiB` })}
    </p>
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
