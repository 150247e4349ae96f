import { app } from 'electron'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { VERSION } from '../../shared/version.ts'
import type { Installation } from '../services/platform.ts'

/** Where everything of this installation lies. */
export interface ShellInstallation extends Installation {
  preload: string
  renderer: string
  ptyHost: string
  trayImages: string
}

/**
 * Finds the programs of this installation. Packaged: agentd, the command and the Node that runs them stand unpacked in the
 * resources, since a service outlives the app and cannot read its archive. In development: the project folder.
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
      trayImages: path.join(root, 'resources/tray'),
    }
  }
  const resources = process.resourcesPath
  const isWindows = process.platform === 'win32'
  return {
    ...bundles,
    node: path.join(resources, isWindows ? 'node/node.exe' : 'node/bin/node'),
    dist: dist.replace(/app\.asar(?=[\\/]|$)/, 'app.asar.unpacked'),
    command: path.join(resources, isWindows ? 'bin/handoff.cmd' : 'bin/handoff'),
    trayImages: path.join(resources, 'tray'),
  }
}

/** The Node that `npm ci` brought, else the first one on the PATH; Electron's own cannot be used (its RunAsNode fuse is off). */
function developmentNode(root: string, environment: NodeJS.ProcessEnv): string {
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  const folders = [
    path.join(root, 'node_modules/.bin'),
    ...(environment['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== ''),
  ]
  return folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file)) ?? name
}
