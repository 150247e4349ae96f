import { useState } from 'react'
import type { IpcOutput } from '../../shared/ipc.ts'
import { deskNow } from '../bridge/desk-store.ts'

/** What the form says. */
export interface Draft {
  plan: string
  host: string
  repoPath: string
  executor: string
  /** Empty: where the repository is. */
  base: string
  inPlace: boolean
  /** Uncommitted files: taken along (worktree), or worked among (in place). */
  takeDirty: boolean
}

// A plan that was typed survives closing the dialog by mistake.
let kept: Draft | undefined

/** The form's values; begins with what was left, or with what was used last. */
export function useDraft() {
  const [value, setValue] = useState<Draft>(() => kept ?? fresh())
  return {
    value,
    set(change: Partial<Draft>) {
      setValue((before) => (kept = { ...before, ...change }))
    },
    forget() {
      kept = undefined
    },
  }
}

function fresh(): Draft {
  const { settings, hosts } = deskNow()
  const { host, repoPath, executor } = settings.lastTask
  const isKnown = hosts.some((one) => one.name === host)
  return {
    plan: '',
    host: isKnown ? host : 'local',
    repoPath,
    executor,
    base: '',
    inPlace: false,
    takeDirty: false,
  }
}

/** Whether one of the problems keeps the task from starting. */
export function stops(problems: IpcOutput<'task.check'>['problems']): boolean {
  return problems.some((problem) => problem.level === 'stop')
}
