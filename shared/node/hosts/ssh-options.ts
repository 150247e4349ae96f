import type { SshOptions } from '../host-client/ssh-bridge.ts'
import type { StoredHost } from './host-store.ts'

/** How ssh is started for a stored host. */
export function sshOptions({
  sshConfig,
  remoteCommand,
}: Pick<StoredHost, 'sshConfig' | 'remoteCommand'>): SshOptions {
  return {
    ...(sshConfig === undefined ? {} : { extraArgs: ['-F', sshConfig] }),
    ...(remoteCommand === undefined ? {} : { remoteCommand }),
  }
}
