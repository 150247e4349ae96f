import path from 'node:path'
import { writeHostPart } from './host-part.mjs'
import { nodeProgram } from './node-program.mjs'

const root = path.resolve(import.meta.dirname, '../..')
/** electron-builder tells processors by number (`Arch` of builder-util). */
const ARCHS = { 1: 'x64', 3: 'arm64' }

/** Called by electron-builder between packing and signing: puts the host part into the app's resources. */
export function afterPack({ appOutDir, arch, electronPlatformName: platform, packager }) {
  const name = ARCHS[arch]
  if (name === undefined) throw new Error('Handoff is packed for x64 and arm64, each on its own.')
  writeHostPart({
    root,
    target: path.join(packager.getResourcesDir(appOutDir), 'host'),
    platform,
    arch: name,
    node: nodeProgram({ root, platform, arch: name, environment: process.env }),
  })
}
