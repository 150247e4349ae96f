import path from 'node:path'
import type { Settings } from '../../../shared/ipc/settings.ts'
import { formatHostAddress, parseHostAddress } from '../../../shared/node/host-client/address.ts'

/** A place in a file. */
export interface PlaceInFile {
  path: string
  line?: number | undefined
}

/** How an editor is started, or why it cannot be. `by_system`: whatever the system opens such files with. */
export type EditorStart =
  | { kind: 'program'; argv: [string, ...string[]] }
  | { kind: 'by_system' }
  | { kind: 'impossible'; why: string }

/** How the person's editor is told to open a file of this machine. */
export function openHere(editor: Settings['editor'], place: PlaceInFile): EditorStart {
  const at = place.line === undefined ? place.path : `${place.path}:${place.line}`
  switch (editor) {
    case 'system':
      return { kind: 'by_system' }
    case 'vscode':
      return { kind: 'program', argv: ['code', '--goto', at] }
    case 'cursor':
      return { kind: 'program', argv: ['cursor', '--goto', at] }
    case 'zed':
      return { kind: 'program', argv: ['zed', at] }
    case 'idea': {
      const line = place.line === undefined ? [] : ['--line', String(place.line)]
      return { kind: 'program', argv: ['idea', ...line, place.path] }
    }
    case 'vim':
      return { kind: 'impossible', why: 'vim runs in a terminal; open the file there.' }
  }
}

/** How the person's editor is told to open a file of a host by ssh. */
export function openThere(editor: Settings['editor'], address: string, place: PlaceInFile): EditorStart {
  const host = parseHostAddress(address)
  if (host.kind !== 'ssh')
    return { kind: 'impossible', why: 'The file lies on another machine that editors cannot reach by ssh.' }
  const at = place.line === undefined ? place.path : `${place.path}:${place.line}`
  const login = `${host.user === undefined ? '' : `${host.user}@`}${host.host}`
  switch (editor) {
    case 'vscode':
    case 'cursor':
      // The remote name is an ssh host of ~/.ssh/config or user@host; a port must stand in that file.
      return {
        kind: 'program',
        argv: [editor === 'vscode' ? 'code' : 'cursor', '--remote', `ssh-remote+${login}`, '--goto', at],
      }
    case 'zed':
      return { kind: 'program', argv: ['zed', `${formatHostAddress(host)}${at}`] }
    default:
      return {
        kind: 'impossible',
        why: `The file lies on ${login}: ${path.basename(place.path)} can be opened there by ssh with VS Code, Cursor or Zed.`,
      }
  }
}
