import { AppError } from '../../shared/errors.ts'
import type { IpcInput } from '../../shared/ipc.ts'
import { call } from './bridge.ts'

/** Opens a file of a task, or its folder (`.`), in the person's editor. Rejects with why it was not opened, and where it lies. */
export async function openInEditor(what: IpcInput<'open.editor'>): Promise<void> {
  const { opened, why, path } = await call('open.editor', what)
  if (opened) return
  throw new AppError({
    code: 'editor_failed',
    message: [why, path].filter(Boolean).join(' '),
    hint: 'Look under Settings which editor is chosen.',
  })
}
