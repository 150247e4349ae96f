import type { HostState, HostView } from '../../shared/ipc/views.ts'
import { useHost, useHosts } from '../bridge/desk-store.ts'
import { useText, type Translate } from '../i18n/i18n.ts'

/** The colour of a host's point. */
export function hostTone(state: HostState): 'ok' | 'wait' | 'off' | 'bad' {
  switch (state.kind) {
    case 'live':
      return 'ok'
    case 'starting':
    case 'connecting':
    case 'catching_up':
      return 'wait'
    case 'offline':
      return 'off'
    case 'refused':
    case 'version':
      return 'bad'
  }
}

/** One or two words for a host's state, in the window's language. */
export function useHostState(state: HostState): string {
  const { t } = useText()
  return t(`app.hostState.${state.kind}`)
}

/** What hosts are called, by their names; one that was removed keeps its name. */
export function useHostLabels(): (name: string) => string {
  const { t } = useText()
  const hosts = useHosts()
  return (name) => {
    const host = hosts.find((one) => one.name === name)
    return host === undefined ? name : hostLabel(host, t)
  }
}

/** What the host of this name is called, as `useHostLabels`. */
export function useHostLabel(name: string): string {
  const { t } = useText()
  const host = useHost(name)
  return host === undefined ? name : hostLabel(host, t)
}

/** What a host is called. */
export function hostLabel(host: Pick<HostView, 'name' | 'isLocal'>, t: Translate): string {
  return host.isLocal ? t('glance.localHost') : host.name
}
