import type { HostStore } from '../../../shared/node/hosts/host-store.ts'
import type { CallServices } from '../calls/services.ts'
import { sshNames } from '../hosts/ssh-names.ts'
import type { HostService } from '../hosts/types.ts'
import { installOnHost } from '../install/install.ts'
import { uninstallFromHost } from '../install/uninstall.ts'
import type { Installation } from '../platform.ts'

/** What brings Handoff to hosts, in the form in which calls want it. */
export function wireInstaller(needs: {
  hosts: HostService
  store: HostStore
  installation: Installation
}): CallServices['installer'] {
  return {
    install: (host, from, job) => installOnHost({ ...needs, host, from, job }),
    uninstall: (host, withOpenTasks, job) => uninstallFromHost({ ...needs, host, withOpenTasks, job }),
    suggest: () => sshNames(),
  }
}
