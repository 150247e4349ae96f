import { app } from 'electron'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { homePaths } from '../../shared/node/home.ts'
import { VERSION } from '../../shared/version.ts'
import type { Installation } from '../services/platform.ts'
import { hostPrograms, lastingHost } from './host-part.ts'

/** Where everything of this installation lies. */
export interface ShellInstallation extends Installation {
  preload: string
  renderer: string
  ptyHost: string
  trayImages: string
}

/**
 * Finds the programs of this installation. Packaged: agentd, the command and the Node that runs them stand beside the archive
 * in `host`, since a service outlives the app and cannot read the archive. In development: the project folder.
 * `dist` is the folder of the running bundle.
 */
export function findInstallation(dist: string, environment: NodeJS.ProcessEnv): ShellInstallation {
  const bundles = {
    preload: path.join(dist, 'preload.cjs'),
    renderer: path.join(dist, 'renderer'),
    ptyHost: path.join(dist, 'pty-host.js'),
    version: VERSION,
  }
  if (!app.isPackaged) {
    const root = path.dirname(dist)
    return {
      ...bundles,
      node: developmentNode(root, environment),
      dist,
      command: path.join(root, 'bin/handoff'),
      trayImages: path.join(root, 'resources/tray', process.platform),
    }
  }
  const resources = process.resourcesPath
  return {
    ...bundles,
    ...hostPrograms(
      lastingHost({
        carried: path.join(resources, 'host'),
        kept: path.join(homePaths(environment).root, 'desk/host'),
        isPassing: isBelow(resources, environment['APPDIR']),
      }),
      process.platform,
    ),
    trayImages: path.join(resources, 'tray'),
  }
}

/** An AppImage names the folder it is mounted at; programs that it starts inherit the name, so it must be ours. */
const isBelow = (file: string, folder: string | undefined): boolean =>
  folder !== undefined && folder !== '' && file.startsWith(`${folder}${path.sep}`)

/** The Node that `npm ci` brought, else the first one on the PATH; Electron's own cannot be used (its RunAsNode fuse is off). */
function developmentNode(root: string, environment: NodeJS.ProcessEnv): string {
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  const folders = [
    path.join(root, 'node_modules/.bin'),
    ...(environment['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== ''),
  ]
  return folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file)) ?? name
}
