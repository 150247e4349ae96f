import { useState } from 'react'
import type { AppError } from '../../shared/errors.ts'
import type { SettingsPatch } from '../../shared/ipc/settings.ts'
import { changeSettings } from '../bridge/desk-store.ts'
import { asAppError } from '../bridge/use-call.ts'

/** Changes settings, and keeps what went wrong for the section to show. */
export function useChange(): { change: (patch: SettingsPatch) => void; error: AppError | undefined } {
  // No action (`useAction`), which takes one at a time: another change while one is being kept counts as well.
  const [error, setError] = useState<AppError>()
  return {
    error,
    change(patch) {
      changeSettings(patch).then(
        () => setError(undefined),
        (reason: unknown) => setError(asAppError(reason)),
      )
    },
  }
}
