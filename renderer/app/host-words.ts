import type { HostState, HostView } from '../../shared/ipc/views.ts'
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

/** What a host is called. */
export function hostLabel(host: Pick<HostView, 'name' | 'isLocal'>, t: Translate): string {
  return host.isLocal ? t('glance.localHost') : host.name
}
