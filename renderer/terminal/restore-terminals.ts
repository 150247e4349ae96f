import { z } from 'zod'
import { isOver } from '../../shared/domain/task.ts'
import { taskAt } from '../../shared/ipc/call-spec.ts'
import { parseJson } from '../../shared/json.ts'
import { call } from '../bridge/bridge.ts'
import { asAppError } from '../bridge/use-call.ts'
import { addTerminals, forgetTerminal, REMEMBERED, terminalKey } from './open-terminals.ts'

const rememberedSchema = z.array(taskAt.extend({ title: z.string().max(400) })).max(100)

let isRestored = false

/**
 * Brings back the tabs of before the page was loaded, once; those of tasks that are over meanwhile go again. Apart from the tabs
 * themselves because making schemas takes longer than the start of the window has.
 */
export function restoreTerminals(): void {
  if (isRestored) return
  isRestored = true
  const kept = rememberedSchema.safeParse(parseJson(localStorage.getItem(REMEMBERED) ?? '[]'))
  if (!kept.success) return
  addTerminals(kept.data)
  for (const { host, taskId } of kept.data) {
    const key = terminalKey(host, taskId)
    call('task.get', { host, taskId }).then(
      ({ task }) => {
        if (isOver(task.state)) forgetTerminal(key)
      },
      // A host that is away may come back with it.
      (error: unknown) => {
        if (asAppError(error).code === 'task_not_found') forgetTerminal(key)
      },
    )
  }
}
