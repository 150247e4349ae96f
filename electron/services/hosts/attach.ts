import os from 'node:os'
import path from 'node:path'
import type { HostAddress } from '../../../shared/node/host-client/address.ts'
import type { AttachScreen } from './types.ts'
import { localAttachArgv, sshAttachArgv } from '../../../shared/node/hosts/attach-argv.ts'

/** argv of the program that shows a tmux session of a host; throws `usage` for ws://, over which no screen comes. */
export function attachArgvFor({
  address,
  sshConfig,
  tmux,
  readOnly,
}: {
  address: HostAddress
  sshConfig: string | undefined
  tmux: AttachScreen
  readOnly: boolean
}): string[] {
  const screen = { ...tmux, socketDir: tmux.socketDir, readOnly }
  if (address.kind === 'local' || address.kind === 'unix') return localAttachArgv(screen)
  return sshAttachArgv({ address, sshConfig, ...screen }, '-tt')
}

/** A path of this machine with a leading `~/` resolved. */
export function expandHome(file: string): string {
  return file === '~' || file.startsWith('~/') ? path.join(os.homedir(), file.slice(1)) : file
}
