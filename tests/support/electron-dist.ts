import { chmod, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** What marks the place of the fuses in Electron's program (@electron/fuses). */
const FUSE_MARK = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
/** As Electron 45 is delivered: RunAsNode, NODE_OPTIONS, --inspect, the browser's snapshot and file:// privileges are on. */
const FUSES = '101100110'
const DUMMIES = [
  'LICENSE',
  'LICENSES.chromium.html',
  'chrome-sandbox',
  'chrome_100_percent.pak',
  'chrome_crashpad_handler',
  'icudtl.dat',
  'libEGL.so',
  'locales/en-US.pak',
  'resources.pak',
  'snapshot_blob.bin',
  'v8_context_snapshot.bin',
]

/** A folder that electron-builder takes for an unpacked Electron for Linux: nothing in it runs, but its fuses can be set. */
export async function writeElectronDist(folder: string, version: string): Promise<void> {
  await mkdir(path.join(folder, 'resources'), { recursive: true })
  await mkdir(path.join(folder, 'locales'))
  for (const name of DUMMIES) await writeFile(path.join(folder, name), `stands in for ${name}\n`)
  await writeFile(path.join(folder, 'version'), version)
  const program = path.join(folder, 'electron')
  const wire = Buffer.from([1, FUSES.length, ...Buffer.from(FUSES)])
  await writeFile(program, Buffer.concat([Buffer.from(`stand-in ${FUSE_MARK}`), wire, Buffer.from(' end')]))
  await chmod(program, 0o755)
}
