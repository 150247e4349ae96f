import { useEffect, useState } from 'react'
import type { AppError } from '../../shared/errors.ts'
import type { InstallStep } from '../../shared/ipc/host-calls.ts'
import { call, subscribe } from '../bridge/bridge.ts'
import { useJob } from '../ui/use-job.ts'

/** Installing Handoff on a host, or removing it, as it goes on. */
export interface Install {
  steps: InstallStep[]
  isRunning: boolean
  error: AppError | undefined
  install(host: string, from?: InstallStep['id']): void
  uninstall(host: string, withOpenTasks: boolean): void
  stop(): void
}

/** Follows the steps of one attempt after the other; `onInstalled` hears when all of them are done. */
export function useInstall(onInstalled?: (host: string) => void): Install {
  const [steps, setSteps] = useState<InstallStep[]>([])
  const { run, stop, isRunning, error, current } = useJob(
    async (
      jobId,
      work: (jobId: string) => Promise<{ ok: boolean; steps: InstallStep[] }>,
      onOk?: () => void,
    ) => {
      const outcome = await work(jobId)
      setSteps(outcome.steps)
      if (outcome.ok) onOk?.()
    },
  )
  useEffect(
    () =>
      subscribe('job.progress', ({ jobId, install }) => {
        if (jobId !== current.current || install === undefined) return
        setSteps((before) => withStep(before, install))
      }),
    [current],
  )
  return {
    steps,
    isRunning,
    error,
    install: (host, from) =>
      run(
        (jobId) => call('host.install', { jobId, host, ...(from === undefined ? {} : { from }) }),
        () => onInstalled?.(host),
      ),
    uninstall: (host, withOpenTasks) =>
      run((jobId) => call('host.uninstall', { jobId, host, withOpenTasks })),
    stop,
  }
}

function withStep(steps: readonly InstallStep[], step: InstallStep): InstallStep[] {
  return steps.some((one) => one.id === step.id)
    ? steps.map((one) => (one.id === step.id ? step : one))
    : [...steps, step]
}
