import { useEffect } from 'react'
import { changeSettings, useCounts, useHosts, useSettings } from '../bridge/desk-store.ts'
import { isFiltering, type Inbox, type InboxFilter } from './use-inbox.ts'

/** Whether nothing has ever happened here. Ends for good with the first task. */
export function useFirstStart(inbox: Inbox, filter: InboxFilter): boolean {
  const { welcomed } = useSettings()
  const { running } = useCounts()
  const hosts = useHosts()
  const hasWork = inbox.total > 0 || running > 0 || hosts.some((host) => host.openTasks > 0)
  useEffect(() => {
    // Only a convenience: when it cannot be kept, the greeting comes once more.
    if (!welcomed && inbox.total > 0) changeSettings({ welcomed: true }).catch(() => undefined)
  }, [welcomed, inbox.total])
  return !welcomed && inbox.isReady && !hasWork && !isFiltering(filter)
}
