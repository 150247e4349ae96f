import { Ellipsis } from 'lucide-react'
import { useEffect, useState } from 'react'
import { isOver, shortId, type Task } from '../../shared/domain/task.ts'
import { call } from '../bridge/bridge.ts'
import { tellFailure } from '../bridge/failures.ts'
import { openInEditor } from '../bridge/open-editor.ts'
import { useText } from '../i18n/i18n.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorNote } from '../ui/ErrorNote.tsx'
import { Menu, MenuItem, MenuLine } from '../ui/Menu.tsx'
import { hostSentence } from '../ui/host-sentences.ts'
import { useAction } from '../ui/use-action.ts'
import { ContinueDialog } from './ContinueDialog.tsx'

/** What can be done with a task as a whole. What cannot be undone is asked about first. */
export function TaskActions({ host, task }: { host: string; task: Task }) {
  const { t } = useText()
  const [open, setOpen] = useState<'continue' | 'cancel' | 'repair'>()
  const close = () => setOpen(undefined)
  const copy = (text: string) => void navigator.clipboard.writeText(text).catch(tellFailure)
  return (
    <>
      {task.state === 'waiting_review' ? (
        <Button onClick={() => setOpen('continue')}>{t('tasks.continue')}</Button>
      ) : null}
      <Menu
        align="end"
        trigger={
          <IconButton label={t('tasks.more')}>
            <Ellipsis size={16} />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => setOpen('continue')} disabled={task.state !== 'waiting_review'}>
          {t('tasks.continue')}
        </MenuItem>
        <MenuItem
          onSelect={() => {
            openInEditor({ host, taskId: task.id, path: '.' }).catch(tellFailure)
          }}
        >
          {t('tasks.editor')}
        </MenuItem>
        <MenuLine />
        <MenuItem onSelect={() => copy(task.id)} note={shortId(task.id)}>
          {t('common.copyText', { what: t('tasks.copyId') })}
        </MenuItem>
        <MenuItem onSelect={() => copy(task.branch)}>
          {t('common.copyText', { what: t('tasks.copyBranch') })}
        </MenuItem>
        <MenuItem onSelect={() => copy(`handoff attach ${shortId(task.id)}`)}>
          {t('tasks.copyAttach')}
        </MenuItem>
        <MenuLine />
        <MenuItem onSelect={() => setOpen('repair')}>{t('tasks.repair')}</MenuItem>
        <MenuItem danger onSelect={() => setOpen('cancel')} disabled={isOver(task.state)}>
          {t('tasks.cancel')}
        </MenuItem>
      </Menu>
      {open === 'continue' ? <ContinueDialog host={host} task={task} onClose={close} /> : null}
      {open === 'cancel' ? <CancelDialog host={host} task={task} onClose={close} /> : null}
      {open === 'repair' ? <RepairDialog host={host} task={task} onClose={close} /> : null}
    </>
  )
}

/** Repairs the task when it opens, and says what came of it. */
function RepairDialog({ host, task, onClose }: { host: string; task: Task; onClose: () => void }) {
  const { t } = useText()
  const [outcome, setOutcome] = useState('')
  const repair = useAction(async () =>
    setOutcome((await call('task.repair', { host, taskId: task.id })).outcome),
  )
  // eslint-disable-next-line react-hooks/exhaustive-deps -- once, whatever changes meanwhile
  useEffect(() => repair.run(), [])
  return (
    <Dialog title={t('tasks.repairTitle')} width={480} onClose={onClose}>
      {repair.error === undefined ? null : <ErrorNote error={repair.error} />}
      <p style={{ padding: 16 }}>{repair.isBusy ? t('common.busy') : hostSentence(outcome, t)}</p>
    </Dialog>
  )
}

function CancelDialog({ host, task, onClose }: { host: string; task: Task; onClose: () => void }) {
  const { t } = useText()
  const cancel = useAction(() => call('task.cancel', { host, taskId: task.id }).then(onClose))
  return (
    <Dialog
      title={t('tasks.cancelTitle')}
      width={440}
      onClose={onClose}
      footer={
        <>
          <span style={{ flex: 1 }} />
          <Button onClick={onClose}>{t('tasks.keep')}</Button>
          <Button look="danger" busy={cancel.isBusy} onClick={() => cancel.run()}>
            {t('tasks.cancelYes')}
          </Button>
        </>
      }
    >
      <p style={{ padding: '14px 16px' }}>{t('tasks.cancelText')}</p>
      {cancel.error === undefined ? null : <ErrorNote error={cancel.error} />}
    </Dialog>
  )
}
