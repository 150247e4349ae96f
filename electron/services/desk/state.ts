import type { DeskState } from '../../../shared/ipc/desk-calls.ts'
import type { OpenServices } from './open-services.ts'
import type { Places } from './places.ts'
import type { DeskNeeds } from './types.ts'
import type { HostViews } from './views.ts'

/** Answers what a window needs before it can draw anything. */
export function createDeskState({
  needs: { platform, installation },
  services: { settings, clientId, problems },
  views,
  places,
  revision,
}: {
  needs: Pick<DeskNeeds, 'platform' | 'installation'>
  services: Pick<OpenServices, 'settings' | 'clientId' | 'problems'>
  views: HostViews
  places: Pick<Places, 'begin'>
  revision: () => number
}): () => DeskState {
  return () => {
    const route = places.begin()
    return {
      revision: revision(),
      shell: platform.shell,
      platform: systemOf(process.platform),
      version: installation.version,
      clientId,
      systemLocale: platform.systemLocale.slice(0, 35),
      hosts: views.all(),
      counts: views.counts(),
      settings: settings.get(),
      problems: problems.list(),
      ...(route === undefined ? {} : { route }),
      can: {
        notify: platform.notifier.isSupported(),
        pickFolder: platform.pickFolder !== undefined,
        launchAtLogin: platform.launchAtLogin !== undefined,
        globalShortcut: platform.globalShortcut !== undefined,
        installCommand: process.platform !== 'win32',
        browserSessions: platform.sessions !== undefined,
      },
    }
  }
}

/** Any other Unix looks like Linux to a window. */
function systemOf(system: NodeJS.Platform): DeskState['platform'] {
  return system === 'darwin' || system === 'win32' ? system : 'linux'
}
